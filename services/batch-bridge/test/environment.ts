import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { batchBridge } from '@tally/contracts';
import { createGrpcClient, type Logger, newJobId, silentLogger, systemClock } from '@tally/service-kit';
import {
  type CertificateFiles,
  type Cluster,
  createTestDatabase,
  startCluster,
  type TestDatabase,
  testCallerToken,
} from '@tally/testkit';
import pg from 'pg';
import type { ClusterSettings } from '../src/domain/cluster/cluster.js';
import type { JobId } from '../src/domain/job-id.js';
import { markerOf } from '../src/domain/submission.js';
import type { BridgeOptions } from '../src/service.js';
import { credentialOf, settingsOf } from './cluster-fixture.js';
import { type FakeServices, startFakeServices } from './fake-services.js';
import { BATCH_BRIDGE_MIGRATIONS, startTestBatchBridge } from './start.js';

/** The user of all jobs in these tests. */
export const USER = 7n;

/** Settings that make a test quick, and nothing else. */
export const QUICK = {
  leaseMs: 3_000,
  roundMs: 100,
  retryFirstMs: 200,
  retryMaxMs: 500,
  markerGraceMs: 1_000,
  pauseFirstMs: 100,
  pauseMaxMs: 500,
  pollIntervalMs: 1_000,
} as const satisfies Partial<BridgeOptions>;

/** A deck whose tasks do not end by themselves. */
export const ENDLESS_DECK = { 'endless.txt': '' } as const;

/** What a node runs in these tests: it notes how it was called. */
const HELPER = `import { existsSync, writeFileSync } from 'node:fs';
const [mode, , folder, , task] = process.argv.slice(2);
writeFileSync(folder + '/ran-' + (task ?? mode), process.argv.slice(2).join(' '));
if (task !== undefined && existsSync(folder + '/deck/endless.txt')) setInterval(() => {}, 60_000);
`;

/** A row of the cluster's own account of jobs. */
export interface ClusterRow {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

/** A copy of the service with a client that calls in the name of jobs. */
export type Copy = Awaited<ReturnType<ReturnType<typeof useEnvironment>['start']>>;

/** Real cluster, database and gRPC around the service; one for all tests of a file, copies for each test. */
export function useEnvironment() {
  let cluster: Cluster;
  let database: TestDatabase;
  let services: FakeServices;
  let folder: string;
  const running: { stop(): Promise<void> }[] = [];
  const stopAll = async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  };

  beforeAll(async () => {
    database = await createTestDatabase(BATCH_BRIDGE_MIGRATIONS);
    services = await startFakeServices();
    cluster = await startCluster({ nodes: 1 });
    folder = mkdtempSync(path.join(tmpdir(), 'tally-bridge-'));
    writeFileSync(path.join(folder, 'helper.mjs'), HELPER);
  }, 180_000);
  afterEach(async () => {
    await stopAll();
    services.down.clear();
    services.credentials.clear();
  }, 60_000);
  afterAll(async () => {
    await services?.stop();
    await cluster?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const asClusterUser = (...argv: string[]): string => {
    const { name, home } = cluster.facts.users.cert;
    const env = { PATH: process.env.PATH, HOME: home, SLURM_CONF: cluster.facts.slurm.conf };
    return execFileSync('setpriv', ['--reuid', name, '--regid', name, '--clear-groups', ...argv], {
      encoding: 'utf8',
      env,
    });
  };

  return {
    get cluster() {
      return cluster;
    },
    get database() {
      return database;
    },
    get services() {
      return services;
    },
    /** The test cluster, run by the Node.js of this machine. */
    settings: (overrides: Partial<ClusterSettings> = {}): ClusterSettings =>
      settingsOf(cluster, { nodeProgram: process.execPath, ...overrides }),
    /** Gives the user this certificate. */
    setCredential(files: CertificateFiles = cluster.facts.certificates.ed25519) {
      services.credentials.set(USER, { ...credentialOf(files), username: cluster.facts.users.cert.name });
    },
    newJob(taskCount: number, deck: Readonly<Record<string, string>> = { 'input.txt': 'deck\n' }): JobId {
      const jobId = newJobId(new Date()) as JobId;
      services.addJob(jobId, taskCount, deck);
      return jobId;
    },
    folderOf: (jobId: JobId): string => `${cluster.facts.users.cert.home}/${jobId}`,
    asClusterUser,
    /** Runs a command of a shell as the cluster's user. */
    shell: (command: string): string => asClusterUser('sh', '-c', command),
    /** Runs a statement in the service's database. */
    async query(sql: string): Promise<Record<string, unknown>[]> {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    /** What the scheduler has of a job, by marker; arrays that wait are one row. */
    rows(jobId: JobId): ClusterRow[] {
      const out = asClusterUser('squeue', '--noheader', '--states=all', '--format=%F|%j|%T');
      return out
        .split('\n')
        .map((line) => line.split('|'))
        .filter(([, name = '']) => name.startsWith(markerOf(jobId, 0).slice(0, -1)))
        .map(([id = '', name = '', state = '']) => ({ id, name, state }));
    },
    /** Starts a copy of the service; stopped after the test. */
    async start(overrides: Partial<BridgeOptions> = {}, logger: Logger = silentLogger) {
      const clusters = overrides.clusters ?? [settingsOf(cluster, { nodeProgram: process.execPath })];
      const service = await startTestBatchBridge(
        {
          databaseUrl: database.url,
          ...services.addresses,
          ...QUICK,
          helperFile: path.join(folder, 'helper.mjs'),
          ...overrides,
          clusters,
        },
        logger,
        systemClock,
      );
      running.push(service);
      const clientOf = (caller: string) => {
        const client = createGrpcClient(batchBridge.BatchBridgeServiceService, {
          target: `127.0.0.1:${service.port}`,
          caller,
          token: testCallerToken(caller),
          timeoutMs: 30_000,
        });
        running.push({ stop: async () => client.close() });
        return client;
      };
      const client = clientOf('jobs');
      return {
        client,
        clientOf,
        stop: () => service.stop(),
        /** SubmitBatch; waits as long as the test's limit for a first try. */
        submit: async (jobId: JobId, request: Partial<batchBridge.SubmitBatchRequest> = {}, waitMs = 20_000) => {
          const { outcome } = await client.submitBatch({
            jobId,
            userId: USER,
            clusterName: clusters[0]?.name ?? '',
            schedulerOptionsJson: Buffer.from('{"mem":"100M"}'),
            spec: services.job(jobId).spec,
            wait: { seconds: BigInt(Math.floor(waitMs / 1000)), nanos: (waitMs % 1000) * 1e6 },
            ...request,
          });
          return outcome;
        },
      };
    },
  };
}
