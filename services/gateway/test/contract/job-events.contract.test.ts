import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { kitError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { EVENT_DATA, type EventName } from '../../src/http/schemas/event.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
const open: Follower[] = [];
/** Each test has a user of its own: streams of one share their call of jobs. */
let user = 6;
const SETTINGS = { eventStreamsPerUserMax: 2, eventHeartbeatMs: 200, endedSessionsRefreshMs: 100 };

beforeAll(async () => {
  gateway = await startGatewayUnderTest(SETTINGS);
});
beforeEach(() => {
  user += 1;
});
afterEach(async () => {
  for (const follower of open.splice(0)) await follower.close();
  gateway.reset();
});
afterAll(() => gateway.stop());

/** A client of the stream that reads as it comes, or not at all once it is paused. */
interface Follower {
  readonly response: IncomingMessage;
  readonly text: () => string;
  readonly isEnded: () => boolean;
  close(): Promise<void>;
}

function follow(
  headers: Record<string, string> = {},
  url = gateway.url,
  cookie = gateway.cookie({ sub: String(user) }),
): Promise<Follower> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(`${url}/jobs/events`, { headers: { Cookie: cookie, ...headers } }, (response) => {
      let text = '';
      let isEnded = false;
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      const closed = new Promise<void>((done) => response.once('close', done));
      response.once('close', () => {
        isEnded = true;
      });
      response.on('error', () => {}); // the gateway may cut it
      const close = async () => {
        response.destroy();
        req.destroy();
        await closed;
      };
      const follower = { response, text: () => text, isEnded: () => isEnded, close };
      open.push(follower);
      resolve(follower);
    });
    req.once('error', reject).end();
  });
}

/** The events of a stream: id, name, data. */
function eventsOf(text: string): { id: string; name: string; data: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      const [id, name, data] = [field('id'), field('event'), JSON.parse(field('data')) as unknown];
      return { id, name, data: EVENT_DATA[name as EventName].parse(data) };
    });
}
const has = (follower: Follower, count: number) =>
  waitFor(
    async () => {
      const events = eventsOf(follower.text());
      return events.length >= count ? events : undefined;
    },
    { what: `${count} events in a stream` },
  );

const opened = (position: bigint, isResumed = false): jobs.WatchJobEventsResponse => ({
  part: { $case: 'opened', value: { position, isResumed } },
});
const at = new Date('2026-11-21T10:00:00.000Z');
const jobChange = (id: bigint, state = jobs.State.STATE_PENDING, waitingReason = ''): jobs.WatchJobEventsResponse => ({
  part: {
    $case: 'event',
    value: {
      id,
      jobId: 'j',
      happenTime: at,
      change: {
        $case: 'job',
        value: { state, taskCount: 2, startTime: at, failure: '', waitingReason, isStopped: false },
      },
    },
  },
});
const task = {
  taskId: 1,
  requestedPrimaries: 10n,
  simulatedPrimaries: 5n,
  lastUpdateTime: at,
  failure: '',
  attemptCount: 0,
};
const taskChange = (id: bigint): jobs.WatchJobEventsResponse => ({
  part: {
    $case: 'event',
    value: {
      id,
      jobId: 'j',
      happenTime: at,
      change: { $case: 'task', value: { ...task, state: jobs.State.STATE_RUNNING, startTime: at } },
    },
  },
});
const deletion = (id: bigint): jobs.WatchJobEventsResponse => ({
  part: { $case: 'event', value: { id, jobId: 'j', happenTime: at, change: { $case: 'deleted', value: {} } } },
});
const never = () => new Promise<never>(() => {});
/** Gives the parts and then stays open. */
const staysOpen = (...parts: jobs.WatchJobEventsResponse[]) =>
  async function* () {
    yield* parts;
    await never();
  };
const watched = () => gateway.jobs.calls.filter(({ rpc }) => rpc === 'watchJobEvents');

describe('GET /jobs/events', () => {
  it('200: says that it is ready, then tells changes with their ids', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(7n), jobChange(8n), taskChange(9n), deletion(12n));
    const follower = await follow();
    expect(follower.response.statusCode).toBe(200);
    expect(follower.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await has(follower, 4)).toEqual([
      { id: '7', name: 'ready', data: { resumed: false } },
      {
        id: '8',
        name: 'job',
        data: { job_id: 'j', job_state: 'PENDING', ntasks: 2, start_time: '2026-11-21T10:00:00.000Z' },
      },
      {
        id: '9',
        name: 'task',
        data: expect.objectContaining({ job_id: 'j', task_id: 1, task_state: 'RUNNING', simulated_primaries: 5 }),
      },
      { id: '12', name: 'job_deleted', data: { job_id: 'j' } },
    ]);
    expect(watched()).toMatchObject([{ request: { afterId: undefined }, context: { userId: 7n } }]);
  });

  it('200: tells what a batch job waits for', async () => {
    const waits = jobChange(8n, jobs.State.STATE_RUNNING, 'The certificate has expired');
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(7n), waits, jobChange(9n));
    const [, first, second] = await has(await follow(), 3);
    expect(first?.data).toMatchObject({ job_state: 'RUNNING', waiting_reason: 'The certificate has expired' });
    expect(second?.data).not.toHaveProperty('waiting_reason');
  });

  it('200: goes on after Last-Event-ID', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(41n, true), jobChange(42n));
    const events = await has(await follow({ 'Last-Event-ID': '41' }), 2);
    expect(events.map(({ id, name }) => `${id} ${name}`)).toEqual(['41 ready', '42 job']);
    expect(events[0]?.data).toEqual({ resumed: true });
    expect(watched()).toMatchObject([{ request: { afterId: 41n } }]);
  });

  it('200: goes on by itself after the last event when jobs goes away, and says so only if something was lost', async () => {
    let call = 0;
    gateway.jobs.answers.watchJobEvents = async function* ({ afterId }) {
      call += 1;
      if (call === 1) {
        yield opened(1n);
        yield jobChange(2n);
      }
      if (call === 2) throw kitError('SERVICE_UNAVAILABLE');
      if (call === 3) {
        yield opened(afterId ?? 0n, true);
        yield jobChange(3n);
      }
      if (call <= 3) throw kitError('SERVICE_UNAVAILABLE');
      yield opened(9n);
      await never();
    };
    const events = await has(await follow(), 4);
    expect(events.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 ready', '2 job', '3 job', '9 ready']);
    expect(watched().map(({ request }) => (request as jobs.WatchJobEventsRequest).afterId)).toEqual([
      undefined,
      2n,
      2n,
      3n,
    ]);
  });

  it('200: sends a comment whenever nothing has come for a while', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(1n));
    const follower = await follow();
    await waitFor(async () => (follower.text().split('\n:\n').length > 3 ? true : undefined), { what: 'heartbeats' });
    expect(eventsOf(follower.text())).toHaveLength(1);
  });

  it('200: takes no more from jobs than the client reads', async () => {
    let given = 0;
    gateway.jobs.answers.watchJobEvents = async function* () {
      yield opened(0n);
      for (; given < 200_000; given++) yield jobChange(BigInt(given + 1));
    };
    const follower = await follow();
    follower.response.pause();
    let last = -1;
    await waitFor(
      async () => {
        const isStill = given === last;
        last = given;
        return isStill && given > 0 ? true : undefined;
      },
      { intervalMs: 500, what: 'jobs to be held up' }, // a busy machine fills the buffers slowly
    );
    expect(given).toBeLessThan(150_000);
  });

  it('200 to HEAD, without a body', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(1n));
    const reply = await gateway.send('HEAD', '/jobs/events');
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it('ends when the session ends', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(1n));
    const follower = await follow({}, gateway.url, gateway.cookie({ sub: String(user), sid: 'session-9' }));
    await has(follower, 1);
    gateway.auth.answers.listEndedSessions = async () => ({ sessionIds: ['session-9'], membershipsVersion: 0n });
    await waitFor(async () => (follower.isEnded() ? true : undefined), { what: 'the end' });
    expect(follower.response.complete).toBe(true); // a proper end, not a cut
  });

  it('ends when the access token that it was opened with expires', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(1n));
    const follower = await follow(
      {},
      gateway.url,
      gateway.cookie({ sub: String(user), exp: Math.floor(Date.now() / 1000) + 8 }),
    );
    await has(follower, 1);
    await waitFor(async () => (follower.isEnded() ? true : undefined), { what: 'the end' });
  });

  it('ends, also for a client that does not read, when the gateway stops', async () => {
    const other = await startGatewayUnderTest({ ...SETTINGS, graceMs: 600_000 }); // longer than a test may take
    other.jobs.answers.watchJobEvents = async function* () {
      yield opened(0n);
      for (let id = 1n; ; id++) yield jobChange(id);
    };
    const [reading, paused] = [
      await follow({}, other.url, other.cookie()),
      await follow({}, other.url, other.cookie()),
    ];
    paused.response.pause();
    await has(reading, 10);
    await other.stop();
    await waitFor(async () => (reading.isEnded() ? true : undefined), { what: 'the end' });
  });

  it('400: refuses an id that is none', async () => {
    const reply = await gateway.send('GET', '/jobs/events', { headers: { 'Last-Event-ID': 'x1' } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
  });

  it('401: refuses without a session', async () => {
    expect((await gateway.send('GET', '/jobs/events', { cookie: '' })).status).toBe(401);
  });

  it('429: refuses more streams of a user than are allowed, until one is closed', async () => {
    gateway.jobs.answers.watchJobEvents = staysOpen(opened(1n));
    const first = await follow();
    await follow();
    const refused = await gateway.send('GET', '/jobs/events', { cookie: gateway.cookie({ sub: String(user) }) });
    expect(refused).toMatchObject({ status: 429, body: { code: 'EVENT_STREAMS_EXCEEDED' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    const other = await follow({}, gateway.url, gateway.cookie({ sub: '1' }));
    expect(other.response.statusCode).toBe(200);
    await first.close();
    await waitFor(async () => ((await follow()).response.statusCode === 200 ? true : undefined), {
      what: 'a place for one more stream',
    });
  });

  it('503: says so when all streams of this copy are taken', async () => {
    const small = await startGatewayUnderTest({ ...SETTINGS, eventStreamsMax: 1 });
    try {
      small.jobs.answers.watchJobEvents = staysOpen(opened(1n));
      await follow({}, small.url, small.cookie());
      const refused = await small.send('GET', '/jobs/events', { cookie: small.cookie({ sub: '8' }) });
      expect(refused).toMatchObject({ status: 503, body: { code: 'EVENT_STREAMS_FULL' } });
    } finally {
      await small.stop();
    }
  });

  it('503: is an answer like any other while jobs is away at the beginning', async () => {
    gateway.jobs.answers.watchJobEvents = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(kitError('SERVICE_UNAVAILABLE')) }),
    });
    expect(await gateway.send('GET', '/jobs/events')).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
  });
});
