import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createGrpcClient,
  createLogger,
  currentContext,
  defineReasons,
  type GrpcServer,
  implement,
  kitError,
  Readiness,
  ServiceError,
  startGrpcServer,
  withContext,
} from '../../src/index.js';

const method = <const Path extends string, const A extends boolean, const B extends boolean>(
  path: Path,
  a: A,
  b: B,
) => ({
  path,
  requestStream: a,
  responseStream: b,
  requestSerialize: (value: { n: number }) => Buffer.from(JSON.stringify(value)),
  requestDeserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as { n: number },
  responseSerialize: (value: { n: number }) => Buffer.from(JSON.stringify(value)),
  responseDeserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as { n: number },
});
const definition = {
  double: method('/test.v1.Test/Double', false, false),
  count: method('/test.v1.Test/Count', false, true),
  add: method('/test.v1.Test/Add', true, false),
  secret: method('/test.v1.Test/Secret', false, false),
  // paths whose protos say that they are idempotent: they are retried
  flaky: method('/jobs.v1.JobsService/GetJob', false, false),
  listen: method('/jobs.v1.JobsService/WatchJobEvents', false, true),
  refuse: method('/test.v1.Test/Refuse', false, false),
};
const fail = defineReasons('test', {
  TOO_BIG: { status: 'INVALID_ARGUMENT', message: 'n is too big', when: 'n over 100' },
});
const token = 'a'.repeat(40);
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const lines: string[] = [];
let server: GrpcServer;
let tries = 0;
let seen: { requestId?: string; userId?: bigint; traceparent?: string; logFields?: object } = {};
const client = (overrides: { caller?: string; token?: string; timeoutMs?: number } = {}) =>
  createGrpcClient(definition, {
    target: `127.0.0.1:${server.port}`,
    caller: 'gateway',
    token,
    timeoutMs: 5_000,
    ...overrides,
  });

beforeEach(async () => {
  lines.length = 0;
  tries = 0;
  server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: new Map([
      ['gateway', [sha256(token)]],
      ['jobs', [sha256('b'.repeat(40))]],
    ]),
    readiness: new Readiness({}),
    logger: createLogger({ service: 'test', level: 'error', write: (line) => lines.push(line) }),
    graceMs: 1_000,
    implementations: [
      implement(definition, {
        double: {
          callers: ['gateway', 'jobs'],
          handle: async ({ n }) => {
            const context = currentContext();
            seen = { ...context };
            if (n > 100)
              throw fail('TOO_BIG', { fields: [{ field: '/n', message: 'at most 100' }], retryAfterMs: 1500 });
            if (n < 0) throw new Error('password=hunter2');
            return { n: 2 * n };
          },
        },
        count: {
          callers: ['gateway'],
          handle: async function* ({ n }) {
            for (let i = 0; i < n; i++) yield { n: i };
          },
        },
        add: {
          callers: ['gateway'],
          handle: async (requests) => {
            let n = 0;
            for await (const request of requests) n += request.n;
            if (n < 0) throw new Error('negative');
            return { n };
          },
        },
        flaky: {
          callers: ['gateway'],
          handle: async ({ n }) => {
            tries++;
            if (tries <= n) throw kitError('SERVICE_UNAVAILABLE');
            return new Promise((_resolve, reject) => {
              currentContext()?.signal?.addEventListener('abort', () => reject(new Error('nobody waits any more')));
            });
          },
        },
        listen: {
          callers: ['gateway'],
          handle: async function* ({ n }) {
            tries++;
            if (tries <= n) throw kitError('SERVICE_UNAVAILABLE');
            yield { n: tries };
          },
        },
        refuse: {
          callers: ['gateway'],
          handle: async ({ n }) => {
            const message = 'ä'.repeat(2_000);
            const fields = Array.from({ length: n }, (_, at) => ({ field: `/sim_data/${at}`, message }));
            throw fail('TOO_BIG', { message, fields });
          },
        },
        secret: { callers: ['jobs'], handle: async () => ({ n: 42 }) },
      }),
    ],
  });
});
afterEach(() => server.stop());

describe('a call', () => {
  it('answers, streams and takes streams', async () => {
    const test = client();
    expect(await test.double({ n: 4 })).toEqual({ n: 8 });
    const counted: number[] = [];
    for await (const { n } of test.count({ n: 2000 })) counted.push(n);
    expect(counted).toHaveLength(2000);
    const numbers = async function* () {
      for (let n = 1; n <= 1000; n++) yield { n };
    };
    expect(await test.add(numbers())).toEqual({ n: 500500 });
    test.close();
  });

  it('whose deadline passes during a retry ends with the error of the attempt before', async () => {
    const test = client({ timeoutMs: 3_000 });
    await expect(test.flaky({ n: 2 })).rejects.toMatchObject({ status: 'UNAVAILABLE', reason: 'SERVICE_UNAVAILABLE' });
    expect(tries).toBe(3);
    await expect(test.flaky({ n: 0 })).rejects.toMatchObject({ status: 'DEADLINE_EXCEEDED' });
    test.close();
  });

  it('whose answer is a stream is repeated before the first part, where it may be', async () => {
    const test = client();
    const parts: number[] = [];
    for await (const { n } of test.listen({ n: 2 })) parts.push(n);
    expect(parts).toEqual([3]);
    test.close();
  });

  it.each([600, 100_000])('that is refused for %i reasons disturbs no other', async (n) => {
    const test = client();
    const other = test.flaky({ n: 0 }).catch((err: unknown) => err);
    await test.double({ n: 1 });
    await expect(test.refuse({ n })).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'TOO_BIG',
      message: expect.stringContaining(`of ${n} faults are named`),
      fields: expect.arrayContaining([{ field: '/sim_data/0', message: expect.stringContaining('ä…ä') }]),
    });
    expect(tries).toBe(1); // it was not sent again: its connection lives
    test.close();
    await expect(other).resolves.toMatchObject({ status: expect.any(String) });
  });

  it('carries request id and acting user', async () => {
    const test = client();
    await withContext({ requestId: 'r-1', userId: 7n }, () => test.double({ n: 1 }));
    expect(seen).toMatchObject({ requestId: 'r-1', userId: 7n });
    expect(seen).not.toHaveProperty('traceparent');
    test.close();
  });

  it('passes a trace on as it is while nothing is traced here; a malformed one is none', async () => {
    const test = client();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await withContext({ requestId: 'r', traceparent }, () => test.double({ n: 1 }));
    expect(seen.traceparent).toBe(traceparent);
    await withContext({ requestId: 'r', traceparent: '00-0-0-01' }, () => test.double({ n: 1 }));
    expect(seen).not.toHaveProperty('traceparent');
    test.close();
  });

  it('says in its log lines which job and task it is about', async () => {
    const test = client();
    const about = { n: -1, jobId: 'j-1', taskId: 4 };
    await expect(test.double(about)).rejects.toMatchObject({ status: 'INTERNAL' });
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ rpc: '/test.v1.Test/Double', job_id: 'j-1', task_id: 4 });
    const parts = async function* () {
      yield { n: -1, part: { value: { jobId: 'j-2', taskId: 5 } } };
    };
    await expect(test.add(parts())).rejects.toMatchObject({ status: 'INTERNAL' });
    expect(JSON.parse(lines[1] ?? '{}')).toMatchObject({ job_id: 'j-2', task_id: 5 });
    test.close();
  });

  it('throws the same error that the server threw, with fields and delay', async () => {
    const test = client();
    const err = await test.double({ n: 101 }).catch((thrown: unknown) => thrown);
    expect(err).toBeInstanceOf(ServiceError);
    expect(err).toMatchObject({
      domain: 'test',
      reason: 'TOO_BIG',
      status: 'INVALID_ARGUMENT',
      message: 'n is too big',
      fields: [{ field: '/n', message: 'at most 100' }],
      retryAfterMs: 1500,
    });
    test.close();
  });

  it('says nothing of a fault inside, and logs it once', async () => {
    const test = client();
    await expect(test.double({ n: -1 })).rejects.toMatchObject({ status: 'INTERNAL', message: 'internal error' });
    expect(lines).toHaveLength(1);
    test.close();
  });

  it('is refused before it is sent when too little time is left', async () => {
    const test = client();
    const context = { requestId: 'r', deadline: new Date(Date.now() + 50) };
    await expect(withContext(context, () => test.double({ n: 1 }))).rejects.toMatchObject({
      status: 'DEADLINE_EXCEEDED',
    });
    test.close();
  });
});

describe('a caller', () => {
  it('with a wrong token is unknown, whatever its name', async () => {
    for (const bad of [{ token: 'x'.repeat(40) }, { caller: 'nobody' }, { caller: '' }]) {
      const test = client(bad);
      await expect(test.double({ n: 1 })).rejects.toMatchObject({
        status: 'UNAUTHENTICATED',
        reason: 'CALLER_UNKNOWN',
      });
      test.close();
    }
  });

  it('may call only what names it', async () => {
    const test = client();
    await expect(test.secret({ n: 1 })).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    test.close();
    const jobs = client({ caller: 'jobs', token: 'b'.repeat(40) });
    expect(await jobs.secret({ n: 1 })).toEqual({ n: 42 });
    jobs.close();
  });
});

describe('health', () => {
  it('is ready while it serves and not after', async () => {
    const test = client();
    await expect(test.checkReady()).resolves.toBeUndefined();
    await server.stop();
    await expect(test.checkReady()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    test.close();
  });
});
