import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tally/service-kit';
import { type CertificateFiles, type Cluster, startCluster, waitFor } from '@tally/testkit';
import type { Login } from '../../src/domain/ports.js';
import { connect, createHostProbe } from '../../src/ssh/connect.js';
import { openCredential } from '../../src/ssh/credential.js';
import { type PoolOptions, SshPool } from '../../src/ssh/pool.js';
import type { Session } from '../../src/ssh/session.js';
import { credentialOf, LIMITS, settingsOf } from '../cluster-fixture.js';

let cluster: Cluster;
const pools: SshPool[] = [];

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, hasAccounting: false });
});
afterAll(async () => {
  for (const pool of pools) pool.close();
  await cluster?.stop();
});

function newPool(overrides: Partial<PoolOptions> = {}): SshPool {
  const pool = new SshPool({ ...LIMITS, clock: systemClock, ...overrides });
  pools.push(pool);
  return pool;
}

function loginOf(files: CertificateFiles = cluster.facts.certificates.ed25519, overrides: Partial<Login> = {}): Login {
  const username = cluster.facts.users.cert.name;
  return { cluster: settingsOf(cluster), username, credential: credentialOf(files), ...overrides };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
const whoAmI = (session: Session) => session.run({ argv: ['id', '-un'] });
/** A key that is not the cluster's. */
const foreignKey = () => readFileSync(`${cluster.facts.dir}/ssh/other_ca.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
const logins = () => readFileSync(cluster.facts.ssh.log, 'utf8').match(/Accepted publickey/g)?.length ?? 0;

describe('connect', () => {
  it.each(['ed25519', 'rsa', 'ecdsa'] as const)('logs in with a certificate of an %s key', async (type) => {
    const { stdout } = await newPool().withSession(loginOf(cluster.facts.certificates[type]), whoAmI);
    expect(stdout.trim()).toBe(cluster.facts.users.cert.name);
  });

  it.each([
    ['ssh-ed25519', 0],
    ['ssh-rsa', 1],
  ] as const)('takes a host of which only the %s key is pinned', async (type, index) => {
    const hostKey = cluster.facts.ssh.hostKeys[index];
    expect(hostKey).toMatch(new RegExp(`^${type} `));
    await createHostProbe(LIMITS).probe(settingsOf(cluster, { hostKeys: [String(hostKey)] }));
  });

  it('says what is wrong with a certificate before it shows it to anybody', async () => {
    const { expired, wrongPrincipal } = cluster.facts.badCertificates;
    const pool = newPool();
    const open = (files: CertificateFiles) => pool.withSession(loginOf(files), whoAmI);
    await expect(open(expired)).rejects.toMatchObject({
      reason: 'CREDENTIAL_UNUSABLE',
      message: expect.stringMatching(/expired at 2020-01-0/),
    });
    await expect(open(wrongPrincipal)).rejects.toMatchObject({ message: expect.stringContaining('login name') });
    const mixed = { ...credentialOf(cluster.facts.certificates.rsa), privateKey: loginOf().credential.privateKey };
    await expect(pool.withSession({ ...loginOf(), credential: mixed }, whoAmI)).rejects.toMatchObject({
      message: expect.stringContaining('does not belong'),
    });
    expect(pool.connectCount).toBe(0);
  });

  it('says that the cluster refused a certificate of a foreign authority, and pauses only this login', async () => {
    const pool = newPool({ pauseFirstMs: 60_000, pauseMaxMs: 60_000 });
    const refused = loginOf(cluster.facts.badCertificates.untrustedCa);
    await expect(pool.withSession(refused, whoAmI)).rejects.toMatchObject({ reason: 'LOGIN_REFUSED' });
    await expect(pool.withSession(refused, whoAmI)).rejects.toMatchObject({
      reason: 'LOGIN_REFUSED',
      retryAfterMs: expect.any(Number),
    });
    expect(pool.connectCount).toBe(1);
    const other = loginOf(undefined, { username: cluster.facts.users.plain.name });
    expect((await pool.withSession(other, whoAmI)).exitCode).toBe(0);
  });

  it('sends nothing to a host with another key than the pinned ones, and closes what was open', async () => {
    const pool = newPool();
    let isOpen = true;
    await pool.withSession(loginOf(), async (session) => {
      await whoAmI(session);
      session.onClose(() => {
        isOpen = false;
      });
    });
    const before = logins();
    const changed = settingsOf(cluster, { hostKeys: [foreignKey()] });
    const login = loginOf(undefined, { cluster: changed, username: cluster.facts.users.plain.name });
    await expect(pool.withSession(login, whoAmI)).rejects.toMatchObject({ reason: 'HOST_KEY_CHANGED' });
    await expect(pool.withSession(login, whoAmI)).rejects.toMatchObject({ reason: 'HOST_KEY_CHANGED' });
    await expect(createHostProbe(LIMITS).probe(changed)).rejects.toMatchObject({ reason: 'HOST_KEY_CHANGED' });
    const noSuchType = settingsOf(cluster, {
      hostKeys: [readFileSync(`${cluster.facts.dir}/ssh/id_cert_ecdsa.pub`, 'utf8').split(' ').slice(0, 2).join(' ')],
    });
    await expect(createHostProbe(LIMITS).probe(noSuchType)).rejects.toMatchObject({ reason: 'HOST_KEY_CHANGED' });
    expect(logins()).toBe(before);
    await waitFor(() => !isOpen, { what: 'the end of the open connection' });
  });

  it('tries nothing for the length of the pause at a cluster that cannot be reached', async () => {
    const pool = newPool({ failureCountMax: 2, pauseFirstMs: 60_000, pauseMaxMs: 60_000 });
    const unreachable = settingsOf(cluster, { port: 1 });
    for (const user of [cluster.facts.users.cert, cluster.facts.users.plain, cluster.facts.users.cert]) {
      const login = loginOf(undefined, { cluster: unreachable, username: user.name });
      await expect(pool.withSession(login, whoAmI)).rejects.toMatchObject({ reason: 'CLUSTER_UNREACHABLE' });
    }
    expect(pool.connectCount).toBe(2);
  });
});

describe('a session', () => {
  it('is one connection for any number of commands at once, above the number of channels that sshd allows', async () => {
    const pool = newPool({ channelsMax: 9 });
    const before = logins();
    const commands = Array.from({ length: 60 }, (_, i) => ({ argv: ['printf', '%s', `word ${i}`] }));
    const results = await Promise.all(
      commands.map((command) => pool.withSession(loginOf(), (session) => session.run(command))),
    );
    expect(results.map(({ stdout }) => stdout)).toEqual(commands.map(({ argv }) => argv[2]));
    expect(pool.connectCount).toBe(1);
    expect(logins()).toBe(before + 1);
  });

  it('is closed when nobody uses it, and made again when somebody does', async () => {
    const pool = newPool({ idleMs: 50 });
    let closed = 0;
    for (const round of [1, 2]) {
      await pool.withSession(loginOf(), async (session) => session.onClose(() => closed++));
      await waitFor(() => closed === round, { what: 'the idle connection to be closed' });
    }
    expect(pool.connectCount).toBe(2);
  });

  it('lets no word of a command reach a shell', async () => {
    const canary = `${cluster.facts.users.cert.home}/canary`;
    const hostile = [
      `'; touch ${canary}; '`,
      `$(touch ${canary})`,
      `\`touch ${canary}\``,
      `| touch ${canary}`,
      '-rf',
      '*',
    ];
    const { stdout } = await newPool().withSession(loginOf(), (session) =>
      session.run({ argv: ['printf', '%s|', ...hostile] }),
    );
    expect(stdout).toBe(hostile.map((word) => `${word}|`).join(''));
    expect(readdirSync(cluster.facts.users.cert.home)).not.toContain('canary');
  });

  it('passes standard input, and keeps output, errors and exit code apart', async () => {
    const script = 'cat; echo oops >&2; exit 7';
    const result = await newPool().withSession(loginOf(), (session) =>
      session.run({ argv: ['sh', '-c', script], stdin: 'é\n' }),
    );
    expect(result).toEqual({ stdout: 'é\n', stderr: 'oops\n', exitCode: 7 });
  });

  it('ends a command that takes too long or prints too much; the next one works', async () => {
    const pool = newPool({ commandTimeoutMs: 1_500, outputBytesMax: 10_000 });
    await pool.withSession(loginOf(), async (session) => {
      await expect(session.run({ argv: ['sleep', '60'] })).rejects.toMatchObject({ reason: 'COMMAND_TIMED_OUT' });
      await expect(session.run({ argv: ['yes'] })).rejects.toMatchObject({ reason: 'COMMAND_OUTPUT_TOO_LARGE' });
      expect((await whoAmI(session)).exitCode).toBe(0);
    });
    expect(pool.connectCount).toBe(1);
  });

  it('says that the outcome is unknown when sshd dies under a command, and connects again when it is back', async () => {
    const pool = newPool({ commandTimeoutMs: 60_000 });
    const running = pool.withSession(loginOf(), (session) =>
      session.run({ argv: ['sh', '-c', 'touch started; sleep 60'] }),
    );
    const lost = expect(running).rejects.toMatchObject({ reason: 'COMMAND_LOST' });
    await waitFor(() => readdirSync(cluster.facts.users.cert.home).includes('started'), { what: 'the command' });
    await cluster.fault('crash', 'sshd');
    await lost;
    await expect(pool.withSession(loginOf(), whoAmI)).rejects.toMatchObject({ reason: 'CLUSTER_UNREACHABLE' });
    await cluster.fault('start', 'sshd');
    const result = await waitFor(() => pool.withSession(loginOf(), whoAmI).catch(() => undefined), {
      what: 'the connection after the pause',
    });
    expect(result.exitCode).toBe(0);
  });

  it('uploads files whole, closed to others, over what was there', async () => {
    const { home } = cluster.facts.users.cert;
    const content = Buffer.alloc(3_000_000, 'tally');
    const file = `${home}/it's a "file"`;
    await newPool().withSession(loginOf(), async (session) => {
      await session.upload([{ path: file, content: Buffer.from('old') }]);
      await session.upload([{ path: file, content }]);
    });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('uploads a thousand files with a few commands, and programs as they are', async () => {
    const folder = `${cluster.facts.users.cert.home}/many`;
    const files = Array.from({ length: 1_000 }, (_, i) => ({
      path: `${folder}/file with a long name, so that not all names fit into one command ${i}`,
      content: Buffer.from(`content ${i}`),
    }));
    const { size: sizeBytes } = statSync(process.execPath);
    const program = { localPath: process.execPath, sha256: await sha256Of(process.execPath), sizeBytes };
    let commandCount = 0;
    await newPool().withSession(loginOf(), async (session) => {
      await session.run({ argv: ['mkdir', folder] });
      const run = session.run.bind(session);
      session.run = (command) => {
        commandCount++;
        return run(command);
      };
      await session.upload([...files, { path: `${folder}/node`, content: program, mode: 0o700 }]);
    });
    expect(commandCount).toBeLessThan(10);
    for (const { path, content } of files) expect(readFileSync(path).equals(content)).toBe(true);
    expect(statSync(`${folder}/node`).mode & 0o777).toBe(0o700);
    expect(statSync(`${folder}/node`).size).toBe(sizeBytes);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('takes no file that arrived otherwise than it was sent', async () => {
    const { home } = cluster.facts.users.cert;
    const { size: sizeBytes } = statSync(process.execPath);
    const content = { localPath: process.execPath, sha256: '0'.repeat(64), sizeBytes };
    await newPool().withSession(loginOf(), async (session) => {
      const upload = session.upload([{ path: `${home}/damaged`, content }]);
      await expect(upload).rejects.toMatchObject({ reason: 'UPLOAD_DAMAGED' });
    });
    expect(readdirSync(home)).not.toContain('damaged');
  });

  it('says so when a file cannot be written', async () => {
    await newPool().withSession(loginOf(), async (session) => {
      await expect(
        session.upload([{ path: '/proc/no-such-folder/file', content: Buffer.from('x') }]),
      ).rejects.toMatchObject({
        reason: 'UPLOAD_DAMAGED',
      });
    });
  });
});

it('refuses control characters before anything is sent', async () => {
  const identity = openCredential(loginOf().credential, cluster.facts.users.cert.name, new Date());
  const client = await connect(settingsOf(cluster), identity, LIMITS);
  client.end();
  await newPool().withSession(loginOf(), async (session) => {
    expect(() => session.run({ argv: ['echo', 'a\nb'] })).toThrow(RangeError);
  });
});
