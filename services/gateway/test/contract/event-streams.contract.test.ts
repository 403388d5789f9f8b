import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { jobs } from '@tally/contracts';
import { systemClock } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

/** `TALLY_EVENT_STREAMS=2000`: as many as one copy may have. */
const STREAMS = Number(process.env.TALLY_EVENT_STREAMS ?? 500);
const STREAMS_PER_USER = 10;
/** One client in so many reads nothing. */
const SLOW_EVERY = 50;
const EVENTS = 20;
const OPENED_AT_ONCE = 50;
const TIMEOUT_MS = 120_000;

let gateway: GatewayUnderTest;
const responses: IncomingMessage[] = [];
afterEach(async () => {
  for (const response of responses.splice(0)) response.destroy();
  await gateway?.stop();
});

interface Follower {
  readonly isSlow: boolean;
  /** Ids of the events that it has read. */
  readonly ids: number[];
  hasEnded: boolean;
}

function follow(number: number): Promise<Follower> {
  const sub = String(1_000 + Math.floor(number / STREAMS_PER_USER));
  const headers = { Cookie: gateway.cookie({ sub }) };
  const follower: Follower = { isSlow: number % SLOW_EVERY === 0, ids: [], hasEnded: false };
  return new Promise((resolve, reject) => {
    const req = httpRequest(`${gateway.url}/jobs/events`, { headers, agent: false }, (response) => {
      responses.push(response);
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let rest = '';
      response.on('error', () => {}); // it is destroyed at the end
      response.on('close', () => {
        follower.hasEnded = true;
      });
      if (!follower.isSlow) {
        response.setEncoding('utf8').on('data', (piece: string) => {
          const lines = (rest + piece).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) if (line.startsWith('id: ')) follower.ids.push(Number(line.slice('id: '.length)));
        });
      }
      resolve(follower);
    });
    req.once('error', reject).end();
  });
}

const change = (id: number): jobs.WatchJobEventsResponse => ({
  part: {
    $case: 'event',
    value: {
      id: BigInt(id),
      jobId: `job-${'x'.repeat(1_000)}`, // so that what is not read fills buffers
      happenTime: new Date('2026-11-21T10:00:00.000Z'),
      change: { $case: 'deleted', value: {} },
    },
  },
});

describe(`${STREAMS} streams of events`, () => {
  it('hear every change once and in order, whoever does not read, and end when the gateway stops', async () => {
    gateway = await startGatewayUnderTest({
      eventStreamsMax: STREAMS,
      eventStreamsPerUserMax: STREAMS_PER_USER,
      graceMs: 10 * TIMEOUT_MS, // it does not end because it has waited long enough
    });
    const begin = new AbortController();
    gateway.jobs.answers.watchJobEvents = async function* () {
      yield { part: { $case: 'opened', value: { position: 0n, isResumed: false } } };
      await systemClock.sleep(10 * TIMEOUT_MS, begin.signal);
      for (let id = 1; id <= EVENTS; id++) yield change(id);
      await new Promise<never>(() => {});
    };
    const followers: Follower[] = [];
    while (followers.length < STREAMS) {
      const numbers = Array.from({ length: Math.min(OPENED_AT_ONCE, STREAMS - followers.length) }, (_, i) => followers.length + i); // biome-ignore format: one line
      followers.push(...(await Promise.all(numbers.map(follow))));
    }
    begin.abort();
    const reading = followers.filter(({ isSlow }) => !isSlow);
    const all = Array.from({ length: EVENTS + 1 }, (_, id) => id);
    await waitFor(() => reading.every(({ ids }) => ids.length >= all.length), {
      timeoutMs: TIMEOUT_MS,
      what: 'everybody who reads to hear everything',
    });
    expect(reading.every(({ ids }) => ids.join() === all.join())).toBe(true);
    await gateway.stop();
    await waitFor(() => reading.every(({ hasEnded }) => hasEnded), { timeoutMs: TIMEOUT_MS, what: 'all ends' });
  });
});
