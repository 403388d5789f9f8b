import { afterEach, describe, expect, it } from '@jest/globals';
import type { jobs } from '@tally/contracts';
import { kitError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type EventPart, JobEvents } from './job-events.js';

const opened = (position: bigint, isResumed = false): EventPart => ({
  $case: 'opened',
  value: { position, isResumed },
});
const event = (id: bigint): EventPart => ({
  $case: 'event',
  value: { id, jobId: 'j', happenTime: new Date(0), change: { $case: 'deleted', value: {} } },
});
const shown = (part: EventPart) =>
  part.$case === 'opened' ? `at ${part.value.position}${part.value.isResumed ? ', resumed' : ''}` : `${part.value.id}`;

/** A call of jobs that says what the test has it say. */
class Call {
  readonly #parts: (EventPart | Error)[] = [];
  #wake = () => {};
  givenCount = 0;

  constructor(
    readonly afterId: bigint | undefined,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.#wake());
  }

  say(...parts: readonly (EventPart | Error)[]): void {
    this.#parts.push(...parts);
    this.#wake();
  }

  async *answers(): AsyncGenerator<jobs.WatchJobEventsResponse> {
    while (!this.signal.aborted) {
      const part = this.#parts.shift();
      if (part instanceof Error) throw part;
      if (part !== undefined) {
        this.givenCount += 1;
        yield { part };
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

const ends: AbortController[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.abort('the test is over');
});

function setUp() {
  const calls: Call[] = [];
  const events = new JobEvents((_userId, afterId, signal) => {
    const call = new Call(afterId, signal);
    calls.push(call);
    return call.answers();
  });
  /** A stream that reads at once, unless it is `paused` after its first part. */
  const follow = (userId: bigint, afterId?: bigint, paused?: Promise<void>) => {
    const end = new AbortController();
    ends.push(end);
    const heard: string[] = [];
    const read = async () => {
      for await (const part of events.follow(userId, afterId, end.signal)) {
        heard.push(shown(part));
        await paused;
      }
    };
    const done = read();
    done.catch(() => {});
    return { heard, end, done };
  };
  const call = (number: number) => waitFor(() => calls[number - 1], { what: `call ${number} of jobs` });
  /** Two streams of a user that share the first call. */
  const followTwice = async () => {
    const first = follow(7n);
    (await call(1)).say(opened(1n));
    await hears(first, ['at 1']);
    const second = follow(7n);
    await hears(second, ['at 1']);
    return [first, second] as const;
  };
  return { calls, follow, call, followTwice };
}
const hears = ({ heard }: { readonly heard: readonly string[] }, expected: readonly string[]) =>
  waitFor(() => {
    expect(heard).toEqual(expected);
    return true;
  });

describe('streams of events', () => {
  it('of a user share a call from now on, and those of others have their own', async () => {
    const { calls, follow, call } = setUp();
    const first = follow(7n);
    (await call(1)).say(opened(1n), event(2n));
    await hears(first, ['at 1', '2']);
    const second = follow(7n);
    await hears(second, ['at 2']);
    const other = follow(8n);
    (await call(2)).say(opened(2n));
    await hears(other, ['at 2']);
    calls[0]?.say(event(5n));
    await hears(first, ['at 1', '2', '5']);
    await hears(second, ['at 2', '5']);
    expect(calls.map(({ afterId }) => afterId)).toEqual([undefined, undefined]);
  });

  it('share it when both begin at once', async () => {
    const { calls, follow, call } = setUp();
    const streams = [follow(7n), follow(7n)];
    (await call(1)).say(opened(1n), event(2n));
    await hears(streams[0] as (typeof streams)[0], ['at 1', '2']);
    await waitFor(() => streams[1]?.heard.length);
    expect(calls).toHaveLength(1);
  });

  it('join it after the very event that it has told last, and have their own after another', async () => {
    const { calls, follow, call } = setUp();
    const first = follow(7n);
    (await call(1)).say(opened(1n), event(2n), event(3n));
    await hears(first, ['at 1', '2', '3']);
    const same = follow(7n, 3n);
    await hears(same, ['at 3, resumed']);
    const behind = follow(7n, 2n);
    (await call(2)).say(opened(2n, true), event(3n));
    await hears(behind, ['at 2, resumed', '3']);
    expect(calls.map(({ afterId }) => afterId)).toEqual([undefined, 2n]);
  });

  it('do not join from now on what still tells what was', async () => {
    const { follow, call } = setUp();
    const first = follow(7n, 1n);
    (await call(1)).say(opened(1n, true), event(2n));
    await hears(first, ['at 1, resumed', '2']);
    const second = follow(7n);
    (await call(2)).say(opened(4n));
    await hears(second, ['at 4']);
  });

  it('end the call with the last of them', async () => {
    const { calls, follow, call, followTwice } = setUp();
    const [first, second] = await followTwice();
    first.end.abort('gone');
    await first.done;
    expect(calls[0]?.signal.aborted).toBe(false);
    second.end.abort('gone');
    await second.done;
    expect(calls[0]?.signal.aborted).toBe(true);
    const third = follow(7n);
    (await call(2)).say(opened(1n));
    await hears(third, ['at 1']);
  });

  it('go on together where they were when jobs goes away', async () => {
    const { calls, call, followTwice } = setUp();
    const [first, second] = await followTwice();
    calls[0]?.say(event(2n), kitError('SERVICE_UNAVAILABLE'));
    const again = await call(2);
    expect(again.afterId).toBe(2n);
    again.say(opened(2n, true));
    await waitFor(() => calls.length === 2 && again.givenCount === 1);
    await waitFor(async () => {
      again.say(event(BigInt(10 + again.givenCount)));
      return second.heard.length > 3 && first.heard.length > 3;
    });
    expect(calls).toHaveLength(2);
  });

  it('do not begin when jobs is away', async () => {
    const { follow, call } = setUp();
    const first = follow(7n);
    (await call(1)).say(kitError('SERVICE_UNAVAILABLE'));
    await expect(first.done).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  });

  it('are not held up for long by one that does not read, which misses nothing', async () => {
    const { calls, follow, call } = setUp();
    let read = () => {};
    const paused = new Promise<void>((resolve) => {
      read = resolve;
    });
    const fast = follow(7n);
    (await call(1)).say(opened(0n));
    await hears(fast, ['at 0']);
    const slow = follow(7n, undefined, paused);
    await hears(slow, ['at 0']);
    const ids = Array.from({ length: 300 }, (_, i) => BigInt(i + 1));
    calls[0]?.say(...ids.map(event));
    await hears(fast, ['at 0', ...ids.map(String)]);
    read();
    const own = await call(2);
    const seen = Number(own.afterId);
    expect(slow.heard.at(-1)).toBe(String(seen));
    own.say(opened(BigInt(seen), true), ...ids.slice(seen).map(event));
    await hears(slow, ['at 0', ...ids.map(String)]);
  });

  it('take no more than they read when they are alone', async () => {
    const { follow, call } = setUp();
    follow(7n, undefined, new Promise<void>(() => {}));
    const only = await call(1);
    only.say(opened(0n), ...Array.from({ length: 1_000 }, (_, i) => event(BigInt(i + 1))));
    await waitFor(() => only.givenCount > 50);
    expect(only.givenCount).toBeLessThan(200);
  });
});
