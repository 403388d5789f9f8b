import { describe, expect, it } from '@jest/globals';
import { GatewayError } from './gateway-error.js';
import { retryRequest } from './retry-request.js';

const unavailable = new GatewayError('unavailable');
const status = (code: number, retryAfterMs?: number) =>
  new GatewayError(`status ${code}`, { status: code, retryAfterMs });

async function call(outcomes: readonly unknown[], signal = new AbortController().signal) {
  let calls = 0;
  const retried: unknown[] = [];
  const settings = { retryPauseMs: 1, retryPauseMsMax: 4, signal, onRetry: (err: unknown) => retried.push(err) };
  const work = async () => {
    const outcome = outcomes[calls++];
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const result = await retryRequest(work, settings).catch((err: unknown) => err);
  return { result, calls, retried };
}

describe('a repeated request', () => {
  it('is repeated through an outage', async () => {
    expect(await call([unavailable, status(503), status(429), 7])).toMatchObject({ result: 7, calls: 4 });
  });

  it.each([400, 401, 404, 413, 302])('is not repeated after status %d', async (code) => {
    const refusal = status(code);
    expect(await call([refusal, 7])).toEqual({ result: refusal, calls: 1, retried: [] });
  });

  it('is not repeated after a fault of our own', async () => {
    expect(await call([new TypeError('bug'), 7])).toMatchObject({ result: expect.any(TypeError), calls: 1 });
  });

  it('waits as long as the server asks', async () => {
    const before = performance.now();
    expect(await call([status(503, 60), 7])).toMatchObject({ result: 7 });
    expect(performance.now() - before).toBeGreaterThan(55);
  });

  it('ends when time is up, also while it waits', async () => {
    const time = new AbortController();
    const pending = call([status(503, 3_600_000), 7], time.signal);
    time.abort();
    expect(await pending).toMatchObject({ result: { status: 503 }, calls: 1 });
  });

  it('throws why it took so long when time is up within an attempt', async () => {
    const time = new AbortController();
    let calls = 0;
    const work = async () => {
      calls += 1;
      if (calls === 1) throw unavailable;
      time.abort();
      throw new GatewayError('aborted');
    };
    const settings = { retryPauseMs: 1, retryPauseMsMax: 4, signal: time.signal, onRetry: () => {} };
    await expect(retryRequest(work, settings)).rejects.toBe(unavailable);
  });
});
