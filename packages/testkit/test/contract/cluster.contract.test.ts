import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '../../src/infrastructure/cluster.js';
import { cleanUpLeftovers } from '../../src/process/run-directory.js';
import { waitFor } from '../../src/wait-for.js';

const run = promisify(execFile);
const OWN_CLUSTER = fileURLToPath(new URL('../fixtures/own-cluster.mjs', import.meta.url));
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.stop());

/** Runs a command on the login node as OpenSSH's client does. */
async function ssh(user: string, key: readonly string[], command: string): Promise<string> {
  const { host, port, hostKeys } = cluster.facts.ssh;
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'IdentitiesOnly=yes', 'IdentityAgent=none'];
  expect(hostKeys[0]).toMatch(/^ssh-ed25519 /);
  const known = `UserKnownHostsFile=${cluster.facts.dir}/ssh/known_hosts`;
  const flags = [...options, known].flatMap((option) => ['-o', option]);
  const { stdout } = await run('ssh', ['-F', 'none', ...flags, ...key, '-p', String(port), `${user}@${host}`, command]);
  return stdout;
}

const withCertificate = ({ privateKey, certificate }: { privateKey: string; certificate: string }) => [
  '-i',
  privateKey,
  '-o',
  `CertificateFile=${certificate}`,
];

it('runs a job of a user who came with a certificate', async () => {
  const { users, certificates } = cluster.facts;
  const login = [users.cert.name, withCertificate(certificates.ed25519)] as const;
  const id = (await ssh(...login, 'sbatch --parsable --output=out.txt --wrap hostname')).trim();
  expect(id).toMatch(/^\d+$/);
  const state = await waitFor(
    async () => {
      const text = (await ssh(...login, `sacct -X -n -P -j ${id} -o State`)).trim();
      return text === 'COMPLETED' && text;
    },
    { what: 'the end of the job' },
  );
  expect(state).toBe('COMPLETED');
  expect(readFileSync(`${users.cert.home}/out.txt`, 'utf8')).not.toBe('');
});

it('refuses expired, misaddressed and foreign certificates', async () => {
  for (const files of Object.values(cluster.facts.badCertificates)) {
    await expect(ssh(cluster.facts.users.cert.name, withCertificate(files), 'true')).rejects.toThrow(
      'Permission denied',
    );
  }
});

it('breaks and mends the controller', async () => {
  await cluster.fault('crash', 'ctld');
  const ping = () =>
    run('scontrol', ['ping'], { env: { ...process.env, SLURM_CONF: cluster.facts.slurm.conf } }).then(
      ({ stdout }) => stdout,
      (err: { stdout: string }) => err.stdout,
    );
  expect(await ping()).toContain('DOWN');
  await cluster.fault('start', 'ctld');
  await waitFor(async () => (await ping()).includes('UP'), { what: 'the controller' });
});

/** Fails if anything of a cluster is left on this machine. */
async function expectNothingOf(dir: string, users: readonly string[]): Promise<void> {
  expect(existsSync(dir)).toBe(false);
  for (const user of users) expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`${user}:`);
  const { stdout } = await run('ps', ['-A', '-o', 'args=']);
  expect(stdout).not.toContain(dir);
}

it('leaves no process, user or folder behind', async () => {
  const other = await startCluster({ nodes: 1, hasAccounting: false });
  const { dir, users } = other.facts;
  await other.stop();
  await expectNothingOf(dir, [users.cert.name, users.plain.name]);
});

it('is ended by the next run when its owner was killed', async () => {
  const program = spawn(process.execPath, [OWN_CLUSTER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(program.stdout.setEncoding('utf8'), 'data');
  const { dir, user, plain } = JSON.parse(String(line)) as { dir: string; user: string; plain: string };
  program.kill('SIGKILL');
  await once(program, 'exit');
  expect(existsSync(`${dir}/facts.json`)).toBe(true);
  cleanUpLeftovers();
  await expectNothingOf(dir, [user, plain]);
});
