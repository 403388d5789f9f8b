import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createGrpcClient,
  type GrpcServer,
  implement,
  loadConfig,
  Readiness,
  serverKeys,
  silentLogger,
  startGrpcServer,
} from '../../src/index.js';

const json = { to: (value: object) => Buffer.from(JSON.stringify(value)), from: () => ({}) };
const definition = {
  ask: {
    path: '/test.v1.Test/Ask',
    requestStream: false,
    responseStream: false,
    requestSerialize: json.to,
    requestDeserialize: json.from,
    responseSerialize: json.to,
    responseDeserialize: json.from,
  },
} as const;

const OLD = 'old'.padEnd(40, 'o');
const NEW = 'new'.padEnd(40, 'n');
const STRANGE = 'strange'.padEnd(40, 's');
const entry = (token: string, name = 'gateway') => `${name}:${createHash('sha256').update(token).digest('hex')}`;

let server: GrpcServer | undefined;
afterEach(() => server?.stop());

/** A server configured by the text of its `…_CALLERS`. */
async function serve(callers: string): Promise<GrpcServer> {
  await server?.stop();
  const config = loadConfig('TEST', serverKeys, { TEST_CALLERS: callers });
  server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: config.callers,
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
    implementations: [implement(definition, { ask: { callers: ['gateway'], handle: async () => ({}) } })],
  });
  return server;
}

/** `OK`, or the reason why the caller is refused. */
async function ask({ port }: GrpcServer, token: string, caller = 'gateway'): Promise<string> {
  const client = createGrpcClient(definition, { target: `127.0.0.1:${port}`, caller, token, timeoutMs: 5_000 });
  const answer = await client.ask({}).then(
    () => 'OK',
    (err: { reason?: string }) => err.reason ?? 'no reason',
  );
  client.close();
  return answer;
}

describe('the token of a caller', () => {
  it('is replaced in steps of which none refuses a call, and is worth nothing after the last', async () => {
    // docs/runbook/rotation.md; a caller or a called pod may be a step behind while its deployment is rolled
    const before = await serve(entry(OLD));
    expect(await ask(before, OLD)).toBe('OK');
    const during = await serve([entry(OLD), entry(NEW)].join(','));
    expect(await ask(during, OLD)).toBe('OK');
    expect(await ask(during, NEW)).toBe('OK');
    const after = await serve(entry(NEW));
    expect(await ask(after, NEW)).toBe('OK');
    expect(await ask(after, OLD)).toBe('CALLER_UNKNOWN');
  });

  it('of two that are valid does not open a third one, or another name', async () => {
    const both = await serve([entry(OLD), entry(NEW), entry(STRANGE, 'jobs')].join(','));
    expect(await ask(both, STRANGE)).toBe('CALLER_UNKNOWN');
    expect(await ask(both, OLD, 'jobs')).toBe('CALLER_UNKNOWN');
    expect(await ask(both, '')).toBe('CALLER_UNKNOWN');
    expect(await ask(both, STRANGE, 'jobs')).toBe('CALLER_NOT_ALLOWED');
  });

  it('may be one of two, not of three: a forgotten rotation stops the start', () => {
    const three = [entry(OLD), entry(NEW), entry(STRANGE)].join(',');
    expect(() => loadConfig('TEST', serverKeys, { TEST_CALLERS: three })).toThrow('must name a caller at most 2 times');
  });
});
