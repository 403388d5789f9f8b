import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import { ended, exampleProject, reached, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;

beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

const submission = (primaries: number, seed: string) => ({
  sim_type: 'simA',
  input_type: 'editor',
  ntasks: 1,
  seed,
  sim_data: exampleProject('proton-150mev-water', primaries),
});
const submitWithKey = (session: HttpSession, key: string, body: unknown) =>
  session.send<{ job_id: string; code: string }>('POST', '/jobs/direct', { body, headers: { 'Idempotency-Key': key } });
const countOf = async (session: HttpSession) =>
  (await session.call<{ simulations_count: number }>('GET', '/user/simulations')).simulations_count;

describe('Idempotency-Key', () => {
  it('makes one job of a request that is sent again, at once, later and after a restart of jobs', async () => {
    const owner = await suite.newUser();
    const body = submission(10, '1');
    const answers = await Promise.all(Array.from({ length: 5 }, () => submitWithKey(owner, 'key-1', body)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    await suite.process('jobs').kill();
    await suite.process('jobs').start();
    answers.push(await submitWithKey(owner, 'key-1', body));
    expect(new Set(answers.map(({ body: { job_id: jobId } }) => jobId)).size).toBe(1);
    expect(await countOf(owner)).toBe(1);
    expect((await ended(owner, answers[0]?.body.job_id ?? '')).job_state).toBe('COMPLETED');
  });

  it('is refused with 422 for another body, and belongs to its user', async () => {
    const [owner, other] = [await suite.newUser(), await suite.newUser()];
    const first = await submitWithKey(owner, 'key-2', submission(10, '1'));
    const changed = await submitWithKey(owner, 'key-2', submission(11, '1'));
    expect([first.status, changed.status, changed.body.code]).toEqual([202, 422, 'IDEMPOTENCY_KEY_REUSED']);
    const others = await submitWithKey(other, 'key-2', submission(11, '1'));
    expect(others.status).toBe(202);
    expect(others.body.job_id).not.toBe(first.body.job_id);
    await ended(owner, first.body.job_id);
    await ended(other, others.body.job_id);
  });
});

describe('ETag of GET /results', () => {
  const get = async (jobId: string, headers: Record<string, string>) => {
    const cookie = user.cookieHeader;
    const response = await fetch(`${suite.gatewayUrl}/results?job_id=${jobId}`, { headers: { cookie, ...headers } });
    return { status: response.status, tag: response.headers.get('etag') ?? '', text: await response.text() };
  };

  it('answers 304 to who has the results, for each encoding by itself', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 200), ntasks: 2 });
    await ended(user, jobId);
    const plain = await get(jobId, { 'accept-encoding': 'identity' });
    const packed = await get(jobId, { 'accept-encoding': 'gzip' });
    expect(plain.tag).toMatch(/^"[^"]+"$/);
    expect(packed.tag).not.toBe(plain.tag);
    expect(packed.text).toBe(plain.text); // joined from what is stored; fetch takes it apart
    for (const { tag, encoding } of [
      { tag: plain.tag, encoding: 'identity' },
      { tag: packed.tag, encoding: 'gzip' },
    ]) {
      const again = await get(jobId, { 'accept-encoding': encoding, 'if-none-match': tag });
      expect(again).toEqual({ status: 304, tag, text: '' });
      expect((await get(jobId, { 'accept-encoding': encoding, 'if-none-match': '"other"' })).status).toBe(200);
    }
    expect((await get(jobId, { 'accept-encoding': 'gzip', 'if-none-match': plain.tag })).status).toBe(200);
  });

  it('changes while tasks come in, and when the job is complete', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 120_000), ntasks: 12 });
    await reached(user, jobId, ({ job_tasks_status: tasks }) => tasks.some((task) => task.task_state === 'COMPLETED'));
    const part = await get(jobId, {});
    expect(JSON.parse(part.text)).toMatchObject({ partial: true });
    await ended(user, jobId);
    const whole = await get(jobId, { 'if-none-match': part.tag });
    expect(whole.status).toBe(200);
    expect(JSON.parse(whole.text)).toMatchObject({ partial: false, primaries: 120_000 });
  }, 120_000);

  it('comes with one gzip member that holds the whole answer', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 50), ntasks: 1 });
    await ended(user, jobId);
    const { request } = await import('node:http');
    const cookie = user.cookieHeader;
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const headers = { cookie, 'accept-encoding': 'gzip' };
      request(`${suite.gatewayUrl}/results?job_id=${jobId}`, { headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece)).once('end', () => resolve(Buffer.concat(pieces)));
      })
        .once('error', reject)
        .end();
    });
    const { text } = await get(jobId, { 'accept-encoding': 'identity' });
    expect(bytes.subarray(0, 4).toString('hex')).toBe('1f8b0800');
    expect(gunzipSync(bytes).toString()).toBe(text);
    expect(bytes.readUInt32LE(bytes.length - 4)).toBe(Buffer.byteLength(text)); // of the only member
  });
});

describe('what this deployment says of itself', () => {
  it('GET /limits: the limits that hold', async () => {
    const { limits } = await user.call<{ limits: Record<string, number> }>('GET', '/limits');
    expect(limits.body_bytes_max).toBe(65_536);
    const body = (bytes: number) => ({
      username: 'x',
      password: 'y'.repeat(bytes - '{"username":"x","password":""}'.length),
    });
    expect((await user.send('POST', '/auth/login', { body: body(limits.body_bytes_max ?? 0) })).status).not.toBe(413);
    expect((await user.send('POST', '/auth/login', { body: body((limits.body_bytes_max ?? 0) + 1) })).status).toBe(413);
    const streams = limits.event_streams_per_user_max ?? 0;
    expect(streams).toBeGreaterThan(0);
    const visitor = await suite.newUser();
    const cookie = visitor.cookieHeader;
    const abort = new AbortController();
    try {
      const open = () => fetch(`${suite.gatewayUrl}/jobs/events`, { headers: { cookie }, signal: abort.signal });
      const opened = await Promise.all(Array.from({ length: streams }, open));
      expect(opened.every(({ status }) => status === 200)).toBe(true);
      expect((await open()).status).toBe(429);
    } finally {
      abort.abort();
    }
  });

  it('GET /simulators: exactly those run jobs that it calls available', async () => {
    const { simulators } = await user.call<{ simulators: { sim_type: string; available: boolean; engine: string }[] }>(
      'GET',
      '/simulators',
    );
    expect(simulators.map(({ sim_type: name }) => name)).toEqual(['simA', 'simB', 'simC', 'simD']);
    expect(simulators.some(({ available }) => available)).toBe(true);
    for (const { sim_type: name, available, engine } of simulators) {
      const answer = await user.send<{ job_id: string; message: string }>('POST', '/jobs/direct', {
        body: { ...submission(10, '3'), sim_type: name },
      });
      expect({ name, status: answer.status }).toEqual({ name, status: available ? 202 : 400 });
      if (!available) continue;
      expect(engine).not.toBe('');
      expect((await ended(user, answer.body.job_id)).job_state).toBe('COMPLETED');
    }
  }, 120_000);
});
