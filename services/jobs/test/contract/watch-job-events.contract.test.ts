import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { hasReason, sql, withContext } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { openDatabase } from '../../src/storage/database.js';
import { writeChangeEvents } from '../../src/storage/statements/write-events.js';
import { ANY_PLATFORM, as, type Copy, claimNextTask, mergeNext, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let first: Copy;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const watchers: Watcher[] = [];
let lastOwner = 100n;
const newOwner = () => ++lastOwner;

/** What a gateway sees of a user's stream. */
interface Watcher {
  readonly opened: () => jobs.EventsOpened | undefined;
  readonly events: jobs.JobEvent[];
  readonly failure: () => unknown;
  readonly done: Promise<void>;
  end(): Promise<void>;
}

function watch(userId: bigint, afterId?: bigint, client = gateway): Watcher {
  const abort = new AbortController();
  const events: jobs.JobEvent[] = [];
  let opened: jobs.EventsOpened | undefined;
  let failure: unknown;
  const stream = withContext({ requestId: 'test', userId }, () =>
    client.watchJobEvents({ afterId }, { signal: abort.signal, timeoutMs: 60_000 })[Symbol.asyncIterator](),
  );
  const read = async () => {
    try {
      for (let next = await stream.next(); !next.done; next = await stream.next()) {
        if (next.value.part?.$case === 'opened') opened = next.value.part.value;
        if (next.value.part?.$case === 'event') events.push(next.value.part.value);
      }
    } catch (err) {
      failure = err;
    }
  };
  const done = withContext({ requestId: 'test', userId }, read);
  const watcher: Watcher = {
    opened: () => opened,
    events,
    failure: () => failure,
    done,
    end: async () => {
      abort.abort();
      await done;
    },
  };
  watchers.push(watcher);
  return watcher;
}

async function watchFromNow(userId: bigint, client = gateway): Promise<Watcher> {
  const watcher = watch(userId, undefined, client);
  await waitFor(async () => watcher.opened(), { what: 'the beginning of the stream' });
  return watcher;
}

const has = (watcher: Watcher, count: number) =>
  waitFor(async () => (watcher.events.length >= count ? watcher.events : undefined), { what: `${count} events` });

/** `job RUNNING`, `task 1 PENDING`, `deleted`. */
function describeEvent({ change }: jobs.JobEvent): string {
  switch (change?.$case) {
    case 'job':
      return `job ${jobs.stateToJSON(change.value.state).slice('STATE_'.length)}`;
    case 'task':
      return `task ${change.value.taskId} ${jobs.stateToJSON(change.value.state).slice('STATE_'.length)}`;
    default:
      return change?.$case ?? 'nothing';
  }
}
/** Ids of a user's jobs. */
interface Jobs {
  readonly open: string;
  readonly ended: string;
}

const cancel = (userId: bigint, jobId: string) =>
  as(userId, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
const submit = (userId: bigint, taskCount = 1) => as(userId, () => gateway.submitJob(submission({ taskCount })));

beforeAll(async () => {
  suite = await openSuite();
  first = await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterEach(async () => {
  for (const watcher of watchers.splice(0)) await watcher.end();
});
afterAll(() => suite.stop());

describe('WatchJobEvents OK', () => {
  it('tells every state of a job and its tasks, in the order of the changes, from its submission to its deletion', async () => {
    const owner = newOwner();
    const watcher = await watchFromNow(owner);
    const { jobId } = await submit(owner);
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    const completed = { $case: 'completed' as const, value: { simulatedPrimaries: order.primaries } };
    await runner.reportTaskEnd({ attemptId, outcome: completed });
    await mergeNext(suite);
    await has(watcher, 7); // what is not told before the deletion is not told any more
    await as(owner, () => gateway.deleteJob({ jobId }));
    const events = await has(watcher, 8);
    expect(events.map(describeEvent)).toEqual([
      'job PENDING',
      'task 1 RUNNING',
      'job RUNNING',
      'task 1 COMPLETED',
      'job MERGING_QUEUED',
      'job MERGING_RUNNING',
      'job COMPLETED',
      'deleted',
    ]);
    expect(events.every((event) => event.jobId === jobId)).toBe(true);
    const task = events[3]?.change?.$case === 'task' ? events[3].change.value : undefined;
    expect(task).toMatchObject({ simulatedPrimaries: order.primaries, requestedPrimaries: order.primaries });
    expect(task?.endTime).toBeInstanceOf(Date);
    const end = events[6]?.change?.$case === 'job' ? events[6].change.value : undefined;
    expect(end).toMatchObject({ taskCount: 1, failure: '' });
    expect(end?.endTime).toBeInstanceOf(Date);
  });

  it('tells nothing of another user', async () => {
    const [alice, bob] = [newOwner(), newOwner()];
    const [ofAlice, ofBob] = [await watchFromNow(alice), await watchFromNow(bob)];
    const { jobId } = await submit(bob);
    await has(ofBob, 1);
    await as(bob, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await has(ofBob, 3);
    expect(ofAlice.events).toEqual([]);
  });

  it('tells progress at most once in a second for a task', async () => {
    const owner = newOwner();
    const { jobId } = await as(owner, () => gateway.submitJob(submission({}, 1_000_000)));
    const { attemptId } = await claimNextTask(suite.queue, runner);
    const watcher = await watchFromNow(owner);
    const before = performance.now();
    let done = 1n;
    await runner.reportTask({ attemptId, simulatedPrimaries: done });
    const firstMs = performance.now() - before;
    await waitFor(
      async () => {
        done += 1n;
        await runner.reportTask({ attemptId, simulatedPrimaries: done });
        return watcher.events.length > 1 ? true : undefined;
      },
      { what: 'progress after a second' },
    );
    const times = watcher.events.map(({ happenTime }) => happenTime?.getTime() ?? 0);
    const shown = watcher.events.map(({ change }) =>
      change?.$case === 'task' ? change.value.simulatedPrimaries : -1n,
    );
    expect(shown[0]).toBe(1n);
    expect(shown[1]).toBeGreaterThan(2n);
    expect(shown[1]).toBeLessThanOrEqual(done); // one more may be reported before the event arrives here
    // written at the end of transactions that began 1 s apart: less by what the first took, and by rounding to ms
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(997 - firstMs);
    await cancel(owner, jobId);
  });

  it('resumes after an event on any copy: what came after it, once, whatever was seen before', async () => {
    const owner = newOwner();
    const before = await watchFromNow(owner);
    const { jobId } = await submit(owner, 3);
    const [pending] = await has(before, 1);
    await before.end();
    await cancel(owner, jobId);
    const second = suite.client('gateway', await suite.start());
    const resumed = watch(owner, pending?.id, second);
    const events = await has(resumed, 4);
    expect(resumed.opened()).toEqual({ position: pending?.id, isResumed: true });
    expect(events.map(describeEvent).sort()).toEqual([
      'job CANCELED',
      'task 1 CANCELED',
      'task 2 CANCELED',
      'task 3 CANCELED',
    ]);
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('hears of what another copy changed without waiting for the next look', async () => {
    const owner = newOwner();
    const second = suite.client('gateway', await suite.start({ eventPollIntervalMs: 600_000 }));
    const watcher = await watchFromNow(owner, second);
    const { jobId } = await submit(owner);
    await has(watcher, 1); // waits a minute at most, a tenth of the interval
    await cancel(owner, jobId);
    await has(watcher, 3);
  });

  it('never skips a change that is stored late: ids of a user are in the order of the commits', async () => {
    const owner = newOwner();
    const { jobId } = await submit(owner, 2);
    const watcher = await watchFromNow(owner);
    const database = openDatabase(suite.database.url, 2);
    /** Task and event in one transaction, the event last, as the service stores them; `meanwhile` after the task. */
    const start = (taskId: number, meanwhile = async () => {}) =>
      database.transact(async (tx) => {
        const row = await tx.row(sql<{ readonly taskKey: bigint; readonly jobKey: bigint }>`
          UPDATE tasks SET state = 'RUNNING' FROM jobs
          WHERE jobs.id = job_key AND job_id = ${jobId} AND task_id = ${taskId}
          RETURNING tasks.id AS "taskKey", job_key AS "jobKey"`);
        if (row === undefined) throw new Error('there is no such task');
        await meanwhile();
        for (const statement of writeChangeEvents([{ kind: 'task', ...row }])) await tx.run(statement);
      });
    try {
      await start(1, async () => {
        await start(2);
        await has(watcher, 1);
      });
      await has(watcher, 2);
    } finally {
      await database.close();
    }
    expect(watcher.events.map(describeEvent)).toEqual(['task 2 RUNNING', 'task 1 RUNNING']);
    await cancel(owner, jobId);
  });

  it.each([
    ['a submission', (owner: bigint) => submit(owner)],
    ['a change', (owner: bigint, { open }: Jobs) => cancel(owner, open)],
    ['a deletion', (owner: bigint, { ended }: Jobs) => as(owner, () => gateway.deleteJob({ jobId: ended }))],
  ])('draws the ids of %s when nobody else stores events of this user', async (_, tell) => {
    const owner = newOwner();
    const [{ jobId: open }, { jobId: ended }] = [await submit(owner), await submit(owner)];
    await cancel(owner, ended);
    const watcher = await watchFromNow(owner);
    const database = openDatabase(suite.database.url, 2);
    const waiting = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 7101 AND NOT granted`;
    let told: Promise<unknown> | undefined;
    try {
      await database.transact(async (tx) => {
        await tx.run(sql`SELECT pg_advisory_xact_lock(7101, hashint8(${owner}))`);
        told = tell(owner, { open, ended });
        await waitFor(() => database.row(waiting), { what: 'somebody who waits for the lock' });
        await tx.run(sql`
          INSERT INTO job_events (owner_id, job_id, kind, happened_at) VALUES (${owner}, 'of the holder', 'deleted', now())`);
      });
      await told;
      await has(watcher, 2); // whoever had drawn an id before would come too late for it
    } finally {
      await database.close();
    }
    expect(watcher.events[0]?.jobId).toBe('of the holder');
  });

  it('loses and repeats nothing of 200 concurrent changes for a reader that resumes all the time', async () => {
    const owner = newOwner();
    const start = await watchFromNow(owner);
    const position = start.opened()?.position ?? 0n;
    await start.end();
    const work = Promise.all(
      Array.from({ length: 25 }, async () => {
        const { jobId } = await submit(owner, 3);
        await cancel(owner, jobId);
      }),
    );
    const seen: jobs.JobEvent[] = [];
    while (seen.length < 25 * 5) {
      const watcher = watch(owner, seen.at(-1)?.id ?? position);
      const events = await has(watcher, 1);
      await watcher.end();
      seen.push(...events);
    }
    await work;
    expect(seen).toHaveLength(25 * 5);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(25 * 5);
    for (const jobId of new Set(seen.map((event) => event.jobId))) {
      const told = seen.filter((event) => event.jobId === jobId).map(describeEvent);
      expect(told[0]).toBe('job PENDING');
      expect(told).toContain('job CANCELED');
    }
  });

  it('says that it begins anew when what came after the event has been forgotten, or the event never was', async () => {
    const owner = newOwner();
    const old = await watchFromNow(owner);
    await submit(owner);
    await submit(owner);
    const [seen] = await has(old, 2);
    await suite.start({ cleanUpIntervalMs: 20, eventRetentionMs: 1_000 });
    await suite.sql("UPDATE job_events SET happened_at = now() - interval '2 seconds' WHERE owner_id = $1", [owner]);
    await waitFor(
      async () =>
        (await suite.sql('SELECT 1 FROM job_events WHERE owner_id = $1', [owner])).length === 0 ? true : undefined,
      { what: 'the events to be forgotten' },
    );
    const [late, wrong] = [watch(owner, seen?.id), watch(owner, 10n ** 15n)];
    for (const watcher of [late, wrong]) {
      await waitFor(async () => watcher.opened(), { what: 'the beginning of the stream' });
      expect(watcher.opened()?.isResumed).toBe(false);
      expect(watcher.opened()?.position).toBeGreaterThan(seen?.id ?? 0n);
    }
    await submit(owner);
    expect((await has(late, 1)).map(describeEvent)).toEqual(['job PENDING']);
  });

  it('keeps nothing of a deleted job but that it was deleted', async () => {
    const owner = newOwner();
    const { jobId } = await submit(owner);
    await cancel(owner, jobId);
    await as(owner, () => gateway.deleteJob({ jobId }));
    const rows = await suite.sql<{ kind: string }>('SELECT kind FROM job_events WHERE job_id = $1', [jobId]);
    expect(rows).toEqual([{ kind: 'deleted' }]);
  });
});

describe('WatchJobEvents UNAVAILABLE', () => {
  it('ends the stream when the service stops', async () => {
    const copy = await suite.start({ graceMs: 60_000 });
    const watcher = await watchFromNow(newOwner(), suite.client('gateway', copy));
    const startedAt = performance.now();
    await copy.stop();
    await watcher.done;
    expect(hasReason(watcher.failure(), 'SERVICE_UNAVAILABLE')).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(30_000); // not by the end of the grace
    expect(first.port).toBeGreaterThan(0);
  });
});

describe('WatchJobEvents UNAUTHENTICATED', () => {
  it('refuses a call without an acting user', async () => {
    const stream = gateway.watchJobEvents({})[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
