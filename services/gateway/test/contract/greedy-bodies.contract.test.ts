import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

const HEAD_BYTES = 20_000;
const BUFFERS_BYTES = 1_000_000;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    bodyBytesMax: HEAD_BYTES,
    buffersBytesMax: BUFFERS_BYTES,
    headersTimeoutMs: 500,
    jsonKeysMax: 1_000,
    jsonValuesMax: 2_000,
  });
});
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  gateway.reset();
});
afterAll(() => gateway.stop());

/** A connection by hand; `answer` is what has come back. */
function open(head: readonly string[], body: string | Buffer = '') {
  const received: Buffer[] = [];
  let sentBytes = 0;
  const socket = connect(gateway.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('data', (piece) => received.push(piece)).on('error', () => {});
  socket.write(head.length === 0 ? '' : `${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  const answer = () => Buffer.concat(received).toString();
  return {
    answer,
    status: async () => {
      await waitFor(() => socket.destroyed || answer().includes('\r\n\r\n'));
      return Number(answer().split(' ')[1]);
    },
    sentBytes: () => sentBytes,
    /** Sends as much as is taken, until an answer comes. */
    async flood(piece: Buffer, bytesMax: number) {
      while (sentBytes < bytesMax && answer() === '' && !socket.destroyed) {
        sentBytes += piece.length;
        if (!socket.write(piece))
          await new Promise((resolve) => void socket.once('drain', resolve).once('close', resolve));
      }
    },
  };
}

const post = (path: string, lengthBytes: number, ...headers: string[]) => [
  `POST ${path} HTTP/1.1`,
  'Host: x',
  'Content-Type: application/json',
  `Content-Length: ${lengthBytes}`,
  ...headers,
];
const asUser = () => `Cookie: ${gateway.cookie()}`;
const accepted = async (parts: AsyncIterable<unknown>) => {
  for await (const _ of parts);
  return { jobId: 'j', simulationId: 1n, seed: 1n, warnings: [] };
};
const submission = (bytes: number) => ({
  sim_type: 'simA',
  ntasks: 1,
  input_type: 'editor',
  sim_data: { text: 'x'.repeat(bytes) },
});
const KEY = 'a-key-that-nobody-may-see';
const refuseKey = async (): Promise<never> => {
  throw new ServiceError('jobs', 'UPDATE_KEY_INVALID', 'UNAUTHENTICATED', 'wrong key');
};
const target = { jobId: 'job-1', isWanted: true, isRepeat: false, primaries: 9n, taskCount: 1, isPartial: false };

describe('bodies that are announced and not sent', () => {
  it('take no room from others', async () => {
    Object.assign(gateway.jobs.answers, { submitJob: accepted });
    for (let i = 0; i < 5; i++) open(post('/jobs/direct', 60_000_000, asUser()), '{"sim_type":');
    for (let i = 0; i < 5; i++) open(post('/results', 60_000_000), '{"simulation_id":"j","update_key":"');
    for (let i = 0; i < 5; i++) open(post('/auth/login', 10_000), '{');
    for (let i = 0; i < 5; i++) {
      expect((await gateway.send('POST', '/jobs/direct', { json: submission(500_000) })).status).toBe(202);
    }
  });

  it('end as 408 when they come too slowly', async () => {
    const slow = open(post('/jobs/direct', 60_000_000, asUser()), '{"sim_type":');
    expect(await slow.status()).toBe(408);
    expect(slow.answer()).toContain('REQUEST_TIMEOUT');
  });

  it('and headers that come too slowly end as 408, too', async () => {
    expect(await open(['GET / HTTP/1.1', 'Host: x']).status()).toBe(200);
    const slow = open([], 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(await slow.status()).toBe(408);
  });
});

describe('requests that have shown neither session nor key', () => {
  it('have a small share of the memory for bodies, all together', async () => {
    Object.assign(gateway.jobs.answers, { submitJob: accepted });
    const part = `{"username":"${'x'.repeat(HEAD_BYTES - 2_000)}`;
    const held = [1, 2, 3, 4, 5, 6].map(() => open(post('/auth/login', HEAD_BYTES), part));
    const login = () => gateway.send('POST', '/auth/login', { raw: part.padEnd(HEAD_BYTES - 1_000) });
    let reply = await login();
    await waitFor(async () => {
      reply = await login();
      return reply.status === 503;
    });
    expect(reply.body.code).toBe('OVERLOADED');
    expect(held.map(({ answer }) => answer())).toEqual(['', '', '', '', '', '']);
    expect((await gateway.send('POST', '/jobs/direct', { json: submission(500_000) })).status).toBe(202);
  });
});

describe('one address', () => {
  it('cannot take all of the memory for bodies: 429', async () => {
    const part = `{"sim_data":{"text":"${'x'.repeat(BUFFERS_BYTES - 350_000)}`;
    const begin = () => open(post('/jobs/direct', BUFFERS_BYTES, asUser()), part);
    const send = () => gateway.send('POST', '/jobs/direct', { json: submission(150_000) });
    let [held, reply] = [begin(), await send()];
    await waitFor(async () => {
      if (held.answer() !== '') {
        held = begin(); // it was the one that came too late
        return false;
      }
      reply = await send();
      return reply.status === 429;
    });
    expect([reply.body.code, reply.headers.get('retry-after')]).toEqual(['ADDRESS_OVERLOADED', '1']);
  });
});

describe('a large upload of a worker', () => {
  const LARGE = 61_000_000;
  const filler = Buffer.alloc(64 * 1024, 0x20);

  it.each(['/results', '/logfiles'])('to %s without a key is refused after its beginning', async (path) => {
    const upload = open(post(path, LARGE), '{"logfiles":');
    await upload.flood(filler, LARGE);
    expect(await upload.status()).toBe(401);
    expect(upload.answer()).toContain('UPDATE_KEY_MISSING');
    expect(upload.sentBytes()).toBeLessThan(LARGE / 4); // what the buffers of two sockets take
    expect(gateway.jobs.calls).toEqual([]);
  });

  it('with a wrong key in its beginning is refused there', async () => {
    gateway.jobs.answers.getWorkerTarget = refuseKey;
    const upload = open(post('/results', LARGE), `{"simulation_id":"job-1","update_key":"${KEY}","estimators":[`);
    await upload.flood(filler, LARGE);
    expect(await upload.status()).toBe(401);
    expect(upload.sentBytes()).toBeLessThan(LARGE / 4);
    expect(gateway.jobs.calls.map(({ request }) => request)).toMatchObject([
      { credential: { jobRef: 'job-1', updateKey: KEY } },
    ]);
  });

  it('with a wrong key in its headers is refused before any of it is asked for', async () => {
    gateway.jobs.answers.getWorkerTarget = refuseKey;
    const headers = [`Authorization: Bearer ${KEY}`, 'X-Job-ID: job-1', 'Expect: 100-continue'];
    const upload = open(post('/results', LARGE, ...headers));
    expect(await upload.status()).toBe(401);
    expect(upload.answer()).not.toContain('100 Continue');
  });

  it('with the right key is taken, wherever the key is, and the job is looked up once', async () => {
    const logfiles = { task_1: 'x'.repeat(100_000) };
    const credential = { jobRef: 'job-1', updateKey: KEY };
    const send = (json: object, headers: Record<string, string> = {}) =>
      gateway.send('POST', '/logfiles', { json, headers, cookie: '' });
    gateway.results.answers.appendLogs = async () => ({});
    gateway.jobs.answers.getWorkerTarget = async () => target;
    const known = { simulation_id: 'job-1', update_key: KEY };
    for (const [json, headers] of [
      [{ ...known, logfiles }, {}],
      [
        { logfiles, ...known },
        { Authorization: `Bearer ${KEY}`, 'X-Job-ID': 'job-1' },
      ],
      [{ simulation_id: 'job-1', logfiles, update_key: KEY }, { Authorization: `Bearer ${KEY}` }],
    ] as const) {
      gateway.jobs.calls.length = 0;
      expect((await send(json, headers)).status).toBe(202);
      expect(gateway.jobs.calls.map(({ request }) => request)).toMatchObject([{ credential }]);
    }
    expect((await send({ logfiles, ...known })).body.code).toBe('UPDATE_KEY_MISSING');
  });

  it('with the key of one job in its headers and another in its body is that of the body', async () => {
    gateway.jobs.answers.getWorkerTarget = async ({ credential }) =>
      credential?.jobRef === 'job-1' ? target : refuseKey();
    const json = { simulation_id: 'job-2', update_key: KEY, logfiles: { task_1: 'x'.repeat(100_000) } };
    const headers = { Authorization: `Bearer ${KEY}`, 'X-Job-ID': 'job-1' };
    expect((await gateway.send('POST', '/logfiles', { json, headers, cookie: '' })).status).toBe(401);
  });
});

describe('a body with more than GET /limits allows', () => {
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
  it.each([
    ['members', { ...submission(1), sim_data: entries(1_100) }, 'at most 1000 members'],
    ['values', { ...submission(1), sim_data: { list: Array.from({ length: 2_100 }, () => 1) } }, 'at most 2000 values'],
  ])('%s is refused with 413, while it arrives', async (_what, json, message) => {
    const reply = await gateway.send('POST', '/jobs/direct', { json });
    expect([reply.status, reply.body.message]).toEqual([413, expect.stringContaining(message)]);
    const text = JSON.stringify(json);
    const upload = open(post('/jobs/direct', 50_000_000, asUser()), text.slice(0, -2));
    expect(await upload.status()).toBe(413);
    expect(gateway.jobs.calls).toEqual([]);
  });
});

describe('a log that is longer than results takes at once', () => {
  it('goes there in pieces of at most 1 MiB, each with its place', async () => {
    const gateway2 = await startGatewayUnderTest();
    try {
      const sent: { offset: bigint; isRestart: boolean | undefined; text: string }[] = [];
      gateway2.jobs.answers.getWorkerTarget = async () => target;
      gateway2.results.answers.appendLogs = async ({ texts }) => {
        sent.push(...texts.map(({ offset, isRestart, text }) => ({ offset, isRestart, text: text.toString() })));
        expect(texts).toHaveLength(1); // one call has no two pieces of a log
        return {};
      };
      const stdout = 'a line of a log, é\n'.repeat(450_000);
      const json = { simulation_id: 'job-1', update_key: KEY, logfiles: { stdout } };
      expect((await gateway2.send('POST', '/logfiles', { json, cookie: '' })).status).toBe(202);
      expect(sent.map(({ text }) => text).join('')).toBe(stdout);
      const sizes = sent.map(({ text }) => Buffer.byteLength(text));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
      const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
      expect(sent.map(({ offset }) => offset)).toEqual(starts.map(BigInt));
      expect(sent.map(({ isRestart }) => isRestart)).toEqual(sizes.map((_, index) => index === 0));
    } finally {
      await gateway2.stop();
    }
  });
});

describe('a list of results that is read by a thread', () => {
  it('is what it would be without', async () => {
    const gateway2 = await startGatewayUnderTest();
    try {
      gateway2.jobs.answers.getWorkerTarget = async () => target;
      gateway2.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
      const known = { simulation_id: 'job-1', update_key: KEY };
      const send = (path: string, json: object) =>
        gateway2.send('POST', path, { json: { ...known, ...json }, cookie: '' });
      let received = '';
      gateway2.results.answers.putResults = async (messages) => {
        for await (const message of messages) received += message.part?.$case;
        return {};
      };
      const data = { values: Array.from({ length: 1_000 }, (_, i) => i), dimensions: [[1], [2]] };
      const page = { data: { values: [1], dimensions: [[1]] }, metadata: { note: 'x'.repeat(2_000_000) } };
      const wide = { data: { ...data, dimensions: [data.values] } };
      expect((await send('/results', { estimators: [{ name: 'D', pages: [page, wide] }] })).status).toBe(202);
      expect(received).toMatch(/^header(page(chunk)+)+$/);
      const refused = await send('/results', { estimators: [{ name: 'D', pages: [page, { data }] }] });
      expect([refused.status, refused.body.errors]).toMatchObject([
        400,
        [{ field: 'estimators/0/pages/1/data/values' }],
      ]);
    } finally {
      await gateway2.stop();
    }
  });
});
