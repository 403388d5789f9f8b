import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import {
  type ClientOf,
  ConfigError,
  createGrpcClient,
  createLogger,
  type GrpcConnection,
  type GrpcServer,
  type GrpcTls,
  implement,
  loadGrpcTls,
  Readiness,
  silentLogger,
  startGrpcServer,
} from '@tally/service-kit';
import {
  createAuthority,
  freePort,
  type TestCertificate,
  testCallers,
  testCallerToken,
  waitFor,
} from '../../src/index.js';

/* Mutual TLS of service-kit, here because certificates are made by testkit, which service-kit does not know. */

/** A call that is not repeated by itself: one answer, one reason. */
const definition = { ask: jobs.JobsServiceService.extendJob } as const;
const REQUEST: jobs.ExtendJobRequest = {
  jobId: 'job',
  platform: jobs.Platform.PLATFORM_UNSPECIFIED,
  primaries: 1n,
  idempotencyKey: '',
};
const ANSWER: jobs.ExtendJobResponse = { taskCount: 2, primaries: 2n };
type TestClient = ClientOf<typeof definition> & GrpcConnection;

const DAY_MS = 86_400_000;
const authority = createAuthority();
const others = createAuthority();
let folder: string;
let lines: string[];
let server: GrpcServer | undefined;
let clients: TestClient[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-tls-'));
  lines = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true });
});

const fileOf = (name: string, kind: string) => path.join(folder, `${name}.${kind}`);

/** As cert-manager writes them. */
function write(name: string, { cert, key }: TestCertificate, ca = authority.cert): void {
  writeFileSync(fileOf(name, 'crt'), cert);
  writeFileSync(fileOf(name, 'key'), key);
  writeFileSync(fileOf(name, 'ca'), ca);
}

/** Settings of a service whose files were written under this name. */
async function load(name: string, more: NodeJS.ProcessEnv = {}): Promise<GrpcTls> {
  const tls = await loadGrpcTls(createLogger({ service: name, level: 'info', write: (line) => lines.push(line) }), {
    GRPC_TLS_CERTIFICATE_FILE: fileOf(name, 'crt'),
    GRPC_TLS_KEY_FILE: fileOf(name, 'key'),
    GRPC_TLS_AUTHORITY_FILE: fileOf(name, 'ca'),
    GRPC_TLS_REFRESH_MS: '20',
    ...more,
  });
  if (tls === undefined) throw new Error('there are files');
  return tls;
}

/** jobs, with the files of this name, or a certificate of its own. */
async function serve(certificate = authority.issue('jobs'), more: NodeJS.ProcessEnv = {}): Promise<void> {
  write('jobs', certificate);
  server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('gateway', 'direct-runner'),
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
    tls: await load('jobs', more),
    implementations: [implement(definition, { ask: { callers: ['gateway'], handle: async () => ANSWER } })],
  });
}

function connect(tls: GrpcTls | undefined, caller = 'gateway'): TestClient {
  const client = createGrpcClient(definition, {
    target: `127.0.0.1:${server?.port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 1_000,
    ...(tls === undefined ? {} : { tls }),
  });
  clients.push(client);
  return client;
}

/** `OK`, or the reason of the refusal. */
const ask = (client: TestClient): Promise<string> =>
  client.ask(REQUEST).then(
    () => 'OK',
    (err: { reason?: string }) => err.reason ?? 'no reason',
  );

/** Waits until the answer is the expected one: a busy machine may be slow to connect. */
const answers = (expected: string, one: () => Promise<string>) =>
  waitFor(async () => (await one()) === expected, { what: expected });

/** A client with a certificate of its own. */
async function askWith(certificate: TestCertificate, caller = 'gateway', ca = authority.cert): Promise<string> {
  write('client', certificate, ca);
  return ask(connect(await load('client'), caller));
}

describe('mutual TLS', () => {
  it('lets in who has a certificate of the authority in his own name, and the token', async () => {
    await serve();
    await answers('OK', () => askWith(authority.issue('gateway')));
    const client = connect(await load('client'));
    await waitFor(async () => client.checkReady().then(() => true));
  });

  it('refuses a caller without certificate, or of another authority', async () => {
    await serve();
    expect(await ask(connect(undefined))).toBe('SERVICE_UNAVAILABLE');
    expect(await askWith(others.issue('gateway'))).toBe('SERVICE_UNAVAILABLE');
  });

  it('refuses a caller in the name of another, and one that may not call, with a right certificate', async () => {
    await serve();
    await answers('CALLER_UNKNOWN', () => askWith(authority.issue('results')));
    await answers('CALLER_NOT_ALLOWED', () => askWith(authority.issue('direct-runner'), 'direct-runner'));
  });

  it('refuses certificates whose time is over, or has not come', async () => {
    await serve();
    const [yesterday, tomorrow] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)];
    const over = { validFrom: new Date(yesterday.getTime() - DAY_MS), validUntil: yesterday };
    expect(await askWith(authority.issue('gateway', over))).toBe('SERVICE_UNAVAILABLE');
    const early = { validFrom: tomorrow, validUntil: new Date(tomorrow.getTime() + DAY_MS) };
    expect(await askWith(authority.issue('gateway', early))).toBe('SERVICE_UNAVAILABLE');
  });

  it('calls no server that is of another authority, expired, or another service', async () => {
    const validUntil = new Date(Date.now() - 1_000);
    for (const wrong of [others.issue('jobs'), authority.issue('jobs', { validUntil }), authority.issue('results')]) {
      await serve(wrong);
      expect(await askWith(authority.issue('gateway'))).toBe('SERVICE_UNAVAILABLE');
      await server?.stop();
    }
  });

  it('takes renewed files without a restart, on either side, and keeps the former while they are not whole', async () => {
    const validUntil = new Date(Date.now() - 1_000);
    await serve(authority.issue('jobs', { validUntil }));
    write('client', authority.issue('gateway', { validUntil }));
    const tls = await load('client');
    expect(await ask(connect(tls))).toBe('SERVICE_UNAVAILABLE');

    const renewed = authority.issue('jobs');
    writeFileSync(fileOf('jobs', 'crt'), renewed.cert); // its key comes later
    await waitFor(() => lines.some((line) => line.includes('is not the key of')));
    writeFileSync(fileOf('jobs', 'key'), renewed.key);
    write('client', authority.issue('gateway'));
    await answers('OK', () => ask(connect(tls)));

    // another authority, one side after the other
    for (const name of ['jobs', 'client']) writeFileSync(fileOf(name, 'ca'), authority.cert + others.cert);
    write('client', others.issue('gateway'), authority.cert + others.cert);
    await answers('OK', () => ask(connect(tls)));
    write('jobs', others.issue('jobs'), others.cert);
    write('client', others.issue('gateway'), others.cert);
    await answers('OK', () => ask(connect(tls)));
    expect(await askWith(authority.issue('gateway'))).toBe('SERVICE_UNAVAILABLE');
  });

  it('answers health checks, and nothing else, without TLS at an address of their own', async () => {
    const healthAddress = `127.0.0.1:${await freePort()}`;
    await serve(authority.issue('jobs'), { GRPC_TLS_HEALTH_ADDRESS: healthAddress });
    const target = { target: healthAddress, caller: 'gateway', token: testCallerToken('gateway'), timeoutMs: 5_000 };
    const client = createGrpcClient(definition, target);
    clients.push(client);
    await waitFor(async () => client.checkReady().then(() => true));
    await expect(client.ask(REQUEST)).rejects.toMatchObject({ status: 'UNIMPLEMENTED' });
  });

  it('stops the start when files are missing, unreadable or do not fit together', async () => {
    write('jobs', authority.issue('jobs'));
    await expect(load('jobs', { GRPC_TLS_KEY_FILE: '' })).rejects.toThrow(ConfigError);
    await expect(load('jobs', { GRPC_TLS_KEY_FILE: `${folder}/none` })).rejects.toThrow(ConfigError);
    writeFileSync(fileOf('jobs', 'key'), authority.issue('jobs').key);
    await expect(load('jobs')).rejects.toThrow('is not the key of');
    expect(lines.join()).not.toContain(readFileSync(fileOf('jobs', 'key'), 'utf8').split('\n')[1]);
    expect(await loadGrpcTls(silentLogger, {})).toBeUndefined();
  });
});
