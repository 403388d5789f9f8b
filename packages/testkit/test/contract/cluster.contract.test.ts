import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '../../src/cluster.js';
import { waitFor } from '../../src/wait-for.js';

const run = promisify(execFile);
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
}, 120_000);
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

it('leaves no process, user or folder behind', async () => {
  const other = await startCluster({ nodes: 1, hasAccounting: false });
  const { dir, users } = other.facts;
  await other.stop();
  expect(existsSync(dir)).toBe(false);
  expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`${users.cert.name}:`);
  const { stdout } = await run('ps', ['-A', '-o', 'args=']);
  expect(stdout).not.toContain(dir);
}, 60_000);
