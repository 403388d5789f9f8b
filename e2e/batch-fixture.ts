import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Output } from '@tally/client';
import {
  BEHAVIOURS_VARIABLE,
  type Behaviour,
  type CertificateProxy,
  type Cluster,
  type ClusterOptions,
  DIRECTORY_VARIABLE,
  freePort,
  type HttpSession,
  type OidcProvider,
  startCertificateProxy,
  startCluster,
  startOidcProvider,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import { buildSync } from 'esbuild';
import { exampleProject, type Project, startTestSuite, type TestSuite } from './suite-fixture.js';

/** Programs of the scheduler that the login node counts. */
const COUNTED = ['sbatch', 'scancel', 'squeue', 'sacct', 'scontrol'] as const;
type Counted = (typeof COUNTED)[number];

/** The suite with a real cluster, a realm and a proxy that gives its users certificates of the cluster's authority. */
export interface BatchSuite extends TestSuite {
  readonly cluster: Cluster;
  /** Name of the cluster's one user who has no other way in than a certificate. */
  readonly login: string;
  readonly home: string;
  /** A token of the realm for that user. */
  ssoToken(): Promise<string>;
  /** A session of that user, who has logged in by single sign-on. */
  newSsoSession(): Promise<HttpSession>;
  /** Folder on the cluster where a job works. */
  jobFolder(jobId: string): string;
  /** Calls of a program on the login node so far: its arguments, in order. */
  calls(program: Counted): string[];
  /** Lets the login node stop in the nth call from now, before or after the program has done its work, once. */
  hold(program: Counted, when: 'before' | 'after', nth?: number): { reached(): Promise<void>; release(): void };
  /** Connections that sshd has let in. */
  loginCount(): number;
  /** Runs a program of the scheduler as root of the cluster; resolves to what it prints. */
  slurm(program: string, ...args: string[]): string;
}

export interface BatchSuiteOptions {
  readonly cluster?: ClusterOptions;
  /** What the deployment says of its cluster, over what fits the test cluster. */
  readonly settings?: (cluster: Cluster) => Readonly<Record<string, unknown>>;
  /** Of batch-bridge. */
  readonly env?: Readonly<Record<string, string>>;
  readonly jobsEnv?: Readonly<Record<string, string>>;
  readonly runners?: number;
  /** Validity of the certificates, as ssh-keygen -V takes it. */
  readonly validity?: string;
}

/** On the login node, before each program of the scheduler: notes the call, and stops where a test wants it to. */
const WRAPPER = `#!/bin/bash
self=$(basename "$0")
here=$(dirname "$0")
printf '%s\\n' "$(printf '%q ' "$@")" >>"$here/$self.calls"
held() { # a login that has ended ends this, too
  [ -e "$here/$self.$1" ] || return 0
  left=$(cat "$here/$self.$1")
  if [ "$left" -gt 1 ]; then echo $((left - 1)) >"$here/$self.$1"; return 0; fi
  mv "$here/$self.$1" "$here/$self.$1.held" || return 0
  while [ -e "$here/$self.$1.held" ]; do kill -0 "$PPID" 2>/dev/null || exit 1; sleep 0.05; done
}
held before
out=$("/usr/bin/$self" "$@"); code=$?
held after
[ -z "$out" ] || printf '%s\\n' "$out"
exit $code
`;

function wrapPrograms(home: string, login: string): string {
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  for (const program of COUNTED) {
    writeFileSync(path.join(bin, program), WRAPPER);
    chmodSync(path.join(bin, program), 0o755);
  }
  writeFileSync(path.join(home, '.bashrc'), `export PATH=${bin}:$PATH\n`);
  const uid = Number(execFileSync('id', ['-u', login], { encoding: 'utf8' }));
  const gid = Number(execFileSync('id', ['-g', login], { encoding: 'utf8' }));
  for (const file of [bin, path.join(home, '.bashrc')]) chownSync(file, uid, gid);
  return bin;
}

const clusterSettings = ({ facts }: Cluster) => ({
  name: 'north',
  displayName: 'The northern one',
  host: facts.ssh.host,
  port: facts.ssh.port,
  hostKeys: facts.ssh.hostKeys,
  scratchFolder: `${facts.dir}/home/{user}/tally`,
  partitions: [{ name: 'batch', wallTimeSecondsMax: 86_400, memoryMibMax: 4_096 }],
  nodeProgram: null,
  isReachingGateway: true,
});

/** Intervals that a test can wait for; everything else as in production. */
const QUICK = {
  BATCH_POLL_INTERVAL_MS: '1000',
  BATCH_ROUND_MS: '250',
  BATCH_LEASE_MS: '3000',
  BATCH_MARKER_GRACE_MS: '3000',
  BATCH_RETRY_FIRST_MS: '500',
  BATCH_RETRY_MAX_MS: '3000',
  BATCH_PAUSE_FIRST_MS: '500',
  BATCH_PAUSE_MAX_MS: '3000',
  BATCH_FAILURE_GRACE_MS: '3000',
  BATCH_PROGRESS_INTERVAL_MS: '500',
};

/** Starts everything; `stop` leaves nothing behind. Needs root, as a cluster does. */
export async function startBatchSuite(options: BatchSuiteOptions = {}): Promise<BatchSuite> {
  const cluster = await startCluster({ nodes: 2, cpusPerNode: 2, ...options.cluster });
  const { name: login, home } = cluster.facts.users.cert;
  const bin = wrapPrograms(home, login);
  const realm = await startOidcProvider();
  const proxy = await startCertificateProxy({
    issuer: realm.issuer,
    audience: realm.audience,
    authorityDir: path.join(cluster.facts.dir, 'ssh'),
    ...(options.validity === undefined ? {} : { validity: options.validity }),
  });
  const suite = await startSuiteFor(cluster, { realm, proxy }, options);
  const ssoToken = async () => (await realm.login(login)).accessToken;
  return {
    ...suite,
    cluster,
    login,
    home,
    ssoToken,
    async newSsoSession() {
      const session = suite.newSession();
      await session.request('POST', '/auth/sso', { body: { sso_token: await ssoToken() } });
      return session;
    },
    jobFolder: (jobId) => path.join(cluster.facts.dir, 'home', login, 'tally', jobId),
    calls: (program) => readLines(path.join(bin, `${program}.calls`)),
    hold: (program, when, nth = 1) => {
      const file = path.join(bin, `${program}.${when}`);
      writeFileSync(file, String(nth), { mode: 0o666 });
      chmodSync(file, 0o666);
      return {
        reached: async () => {
          await waitFor(() => existsSync(`${file}.held`), { what: `${program} held ${when} its work` });
        },
        release: () => execFileSync('rm', ['-f', file, `${file}.held`]),
      };
    },
    loginCount: () => readLines(cluster.facts.ssh.log).filter((line) => line.includes('Accepted publickey')).length,
    slurm: (program, ...args) =>
      execFileSync(program, args, {
        encoding: 'utf8',
        env: { ...process.env, SLURM_CONF: cluster.facts.slurm.conf, SLURM_BITSTR_LEN: '0' },
      }),
    async stop() {
      await suite.stop();
      await proxy.stop();
      await realm.stop();
      await cluster.stop();
    },
  };
}

async function startSuiteFor(
  cluster: Cluster,
  { realm, proxy }: { readonly realm: OidcProvider; readonly proxy: CertificateProxy },
  { settings, env, jobsEnv, runners }: BatchSuiteOptions,
): Promise<TestSuite> {
  const gatewayAddress = `127.0.0.1:${await freePort()}`;
  return startTestSuite({
    gatewayAddress,
    runners: runners ?? 1,
    env: {
      auth: {
        AUTH_SSO_ISSUER_URL: realm.issuer,
        AUTH_SSO_AUDIENCE: realm.audience,
        AUTH_CERT_PROXY_URL: proxy.url,
      },
      ...(jobsEnv === undefined ? {} : { jobs: jobsEnv }),
      'batch-bridge': {
        BATCH_CLUSTERS: JSON.stringify([{ ...clusterSettings(cluster), ...settings?.(cluster) }]),
        BATCH_GATEWAY_URL: `http://${gatewayAddress}`,
        ...QUICK,
        ...env,
      },
    },
  });
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** What a cluster's settings say of a simulator in whose place it has this program. */
export function programOnCluster({ facts }: Cluster, name: string, source: string) {
  const file = path.join(facts.dir, `${name}.mjs`);
  writeFileSync(file, source, { mode: 0o644 });
  return { executable: process.execPath, args: [file], version: 'test' };
}

/** What a cluster's settings say of a simulator for which it has a stand-in. */
export function standInOnCluster(
  { facts }: Cluster,
  simulator: 'sim-a' | 'sim-b' | 'sim-c' | 'sim-d',
  behaviours: Readonly<Record<number, Behaviour>>,
) {
  const directory = path.join(facts.dir, simulator);
  mkdirSync(directory);
  chmodSync(directory, 0o777);
  const script = path.join(directory, 'stand-in.mjs');
  buildSync({
    entryPoints: [path.join(workspaceRoot(), 'packages/testkit/dist/src/stand-ins', `${simulator}.js`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    logLevel: 'error',
  });
  return {
    executable: process.execPath,
    args: [script],
    env: { [DIRECTORY_VARIABLE]: directory, [BEHAVIOURS_VARIABLE]: JSON.stringify(behaviours) },
    version: 'stand-in',
  };
}

export interface BatchSubmission {
  readonly project?: Project;
  readonly ntasks: number;
  readonly seed?: string;
  readonly title?: string;
  readonly sim_type?: 'simA' | 'simB' | 'simC' | 'simD';
  readonly options?: Readonly<Record<string, string | number>>;
  readonly cluster?: string;
}

export function batchBody({ project, options, cluster, ...rest }: BatchSubmission) {
  return {
    sim_type: 'simA' as const,
    input_type: 'editor' as const,
    sim_data: project ?? exampleProject('proton-150mev-water', 2_000),
    batch_options: {
      ...(cluster === undefined ? {} : { cluster_name: cluster }),
      scheduler_options: { mem: '512M', ...options },
    },
    ...rest,
  };
}

/** Submits to the cluster; resolves to the job id. */
export async function submitBatch(session: HttpSession, submission: BatchSubmission): Promise<string> {
  const { job_id: jobId } = await session.request('POST', '/jobs/batch', { body: batchBody(submission) });
  return jobId;
}

export type BatchStatus = Output<'GET', '/jobs/batch'>;

export function batchStatus(session: HttpSession, jobId: string): Promise<BatchStatus> {
  return session.request('GET', '/jobs/batch', { query: { job_id: jobId } });
}

/** Waits until the job's status satisfies the condition. */
export async function batchReached(
  session: HttpSession,
  jobId: string,
  condition: (status: BatchStatus) => boolean,
  timeoutMs = 90_000,
): Promise<BatchStatus> {
  let last: BatchStatus | undefined;
  try {
    return await waitFor(
      async () => {
        last = await batchStatus(session, jobId);
        return condition(last) ? last : undefined;
      },
      { timeoutMs, intervalMs: 100, what: `a state of batch job ${jobId}` },
    );
  } catch (err) {
    throw new Error(`batch job ${jobId} stays at ${JSON.stringify(last)}`, { cause: err });
  }
}

/** Waits for a terminal state and resolves to it. */
export function batchEnded(session: HttpSession, jobId: string, timeoutMs?: number): Promise<BatchStatus> {
  return batchReached(
    session,
    jobId,
    ({ job_state: state }) => ['COMPLETED', 'FAILED', 'CANCELED'].includes(state),
    timeoutMs,
  );
}

/** Ids of the arrays that the scheduler has ever had for a job, and of its collect jobs. */
export function schedulerJobs(suite: BatchSuite, jobId: string): { arrays: string[]; collects: string[] } {
  const rows = suite.slurm('squeue', '-h', '-t', 'all', '-o', '%F %j').split('\n');
  const idsOf = (suffix: RegExp) => [
    ...new Set(
      rows.flatMap((row) => {
        const [id = '', name = ''] = row.split(' ');
        return name.startsWith(`tally-${jobId}-`) && suffix.test(name) ? [id] : [];
      }),
    ),
  ];
  return { arrays: idsOf(/-[1-9]\d*$/), collects: idsOf(/-0$/) };
}

/** Whether somebody else than the owner can read a file. */
export const isPrivate = (file: string): boolean => (statSync(file).mode & 0o077) === 0;
