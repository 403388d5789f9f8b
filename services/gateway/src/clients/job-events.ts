import type { jobs } from '@tally/contracts';
import { backoffMs, currentContext, newId, ServiceError, systemClock, withContext } from '@tally/service-kit';
import { answerInvalid } from '../errors.js';

/** Where a stream begins, or a change. */
export type EventPart = NonNullable<jobs.WatchJobEventsResponse['part']>;

/** Calls jobs for what happens to a user's jobs after an event, or from now on. */
export type WatchEvents = (
  userId: bigint,
  afterId: bigint | undefined,
  signal: AbortSignal,
) => AsyncIterable<jobs.WatchJobEventsResponse>;

const RETRY_MS = 250;
export const RETRY_MAX_MS = 2_000;
/** Parts that wait for a stream that does not read. */
const WAITING_MAX = 100;
/** So long such a stream holds up those that share its call. */
const HOLD_MS_MAX = 1_000;
/** Between two looks at a stream that holds up nobody but itself. */
const LOOK_MS = 60_000;

/** What happens to users' jobs. Streams of a user that begin where another one is at that moment share its call of jobs. */
export class JobEvents {
  /** The call of each user that others may join. */
  readonly #shared = new Map<bigint, Watch>();

  constructor(private readonly watchEvents: WatchEvents) {}

  /**
   * What happens to a user's jobs after an event, or from now on, over outages and restarts of jobs: each call goes on after
   * the last id that was seen, and one that continues seamlessly is not heard of. Ends with the signal. Rejects only if
   * the first call fails.
   */
  async *follow(userId: bigint, afterId: bigint | undefined, signal: AbortSignal): AsyncGenerator<EventPart> {
    let seenId = afterId;
    let isFirst = true;
    let attemptCount = 0;
    while (!signal.aborted) {
      const stream = await this.#open(userId, seenId, signal);
      try {
        for (let part = await stream.next(); part !== undefined; part = await stream.next()) {
          const isSeamless = part.$case === 'opened' && part.value.isResumed && !isFirst;
          if (!isSeamless) yield part;
          seenId = positionOf(part);
          isFirst = false;
          attemptCount = 0;
        }
      } catch (err) {
        if (isFirst || !(err instanceof ServiceError)) throw err;
      } finally {
        stream.leave();
      }
      const pauseMs = backoffMs(RETRY_MS, RETRY_MAX_MS, attemptCount++, () => stream.jitter);
      await systemClock.sleep(pauseMs, signal);
    }
  }

  async #open(userId: bigint, seenId: bigint | undefined, signal: AbortSignal): Promise<Stream> {
    for (let shared = this.#shared.get(userId); shared !== undefined; ) {
      await shared.opening;
      if (shared.isAt(seenId)) return shared.join(seenId, signal);
      const next = this.#shared.get(userId);
      if (next === shared) break;
      shared = next;
    }
    const watch: Watch = new Watch(
      (cancel) => this.watchEvents(userId, seenId, cancel),
      () => this.#shared.get(userId) === watch && this.#shared.delete(userId),
    );
    if (!this.#shared.get(userId)?.isFromNow) this.#shared.set(userId, watch);
    return watch.begin(signal);
  }
}

const positionOf = (part: EventPart) => (part.$case === 'opened' ? part.value.position : part.value.id);

/** One call of jobs, and the streams that get what it says. It ends with the last of them. */
class Watch {
  readonly #streams = new Set<Stream>();
  /** Drawn once, so that its streams come again together, and share a call again. */
  readonly #jitter = Math.random();
  readonly #cancel = new AbortController();
  #opened: jobs.EventsOpened | undefined;
  #position = 0n;
  #isOver = false;
  #looking = new AbortController();
  #noteOpening = () => {};
  /** Resolves when it has begun, or ended without. */
  readonly opening = new Promise<void>((resolve) => {
    this.#noteOpening = resolve;
  });

  constructor(
    call: (signal: AbortSignal) => AsyncIterable<jobs.WatchJobEventsResponse>,
    private readonly onEnd: () => void,
  ) {
    void this.#run(call);
  }

  /** It said no more than what its user knows who asked for it now. */
  get isFromNow(): boolean {
    return this.#opened?.isResumed === false && !this.#isOver;
  }

  /** What comes next is what follows the event, or now. */
  isAt(seenId: bigint | undefined): boolean {
    if (seenId === undefined) return this.isFromNow;
    return this.#opened !== undefined && !this.#isOver && this.#position === seenId;
  }

  /** The stream that the call is made for. */
  begin(signal: AbortSignal): Stream {
    const stream: Stream = new Stream(signal, this.#jitter, () => this.#look(stream));
    this.#streams.add(stream);
    this.#look(stream);
    return stream;
  }

  /** A further one, where {@link isAt} says so. */
  join(seenId: bigint | undefined, signal: AbortSignal): Stream {
    const stream = this.begin(signal);
    stream.push({ $case: 'opened', value: { position: this.#position, isResumed: seenId !== undefined } });
    return stream;
  }

  /** A stream has come, has gone or has room again. */
  #look(stream: Stream): void {
    if (stream.hasLeft) this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#cancel.abort('nobody follows it');
    this.#looking.abort('changed');
  }

  async #run(call: (signal: AbortSignal) => AsyncIterable<jobs.WatchJobEventsResponse>): Promise<void> {
    let failure: unknown;
    try {
      for await (const { part } of call(this.#cancel.signal)) {
        if (part === undefined) throw answerInvalid('a part of the events is empty');
        this.#position = positionOf(part);
        if (part.$case === 'opened') this.#opened = part.value;
        for (const stream of this.#streams) stream.push(part);
        this.#noteOpening();
        await this.#waitForRoom();
      }
    } catch (err) {
      failure = err;
    }
    this.#isOver = true;
    this.onEnd();
    for (const stream of this.#streams) stream.end(failure);
    this.#noteOpening();
  }

  /** Nothing is read ahead of who reads it; who is too slow for the others goes on by a call of its own. */
  async #waitForRoom(): Promise<void> {
    const sinceMs = systemClock.monotonicMs();
    for (let full = this.#full(); full.length > 0; full = this.#full()) {
      const isAlone = this.#streams.size === 1;
      const leftMs = sinceMs + HOLD_MS_MAX - systemClock.monotonicMs();
      if (!isAlone && leftMs <= 0) {
        for (const stream of full) {
          this.#streams.delete(stream);
          stream.end(undefined);
        }
        return;
      }
      this.#looking = new AbortController();
      await systemClock.sleep(isAlone ? LOOK_MS : leftMs, this.#looking.signal);
    }
  }

  #full(): Stream[] {
    return [...this.#streams].filter(({ isFull }) => isFull);
  }
}

/** What one of the streams of a watch has still to read. */
class Stream {
  readonly #waiting: EventPart[] = [];
  #hasLeft = false;
  #isEnded = false;
  #failure: unknown;
  #wake = () => {};

  /** `jitter`: 0 to 1, of the pause after it; `onChange`: it has left, or has room again. */
  constructor(
    private readonly signal: AbortSignal,
    readonly jitter: number,
    private readonly onChange: () => void,
  ) {
    if (signal.aborted) this.#hasLeft = true;
    else signal.addEventListener('abort', this.leave, { once: true });
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  get isFull(): boolean {
    return this.#waiting.length >= WAITING_MAX;
  }

  push(part: EventPart): void {
    this.#waiting.push(part);
    this.#wake();
  }

  /** Nothing comes any more. */
  end(failure: unknown): void {
    this.#isEnded = true;
    this.#failure = failure;
    this.#wake();
  }

  /** Takes no more; safe to repeat. */
  readonly leave = (): void => {
    this.signal.removeEventListener('abort', this.leave);
    this.#hasLeft = true;
    this.#wake();
    this.onChange();
  };

  /** What comes next; undefined: it has ended with the watch, or the signal. @throws what the watch ended by */
  async next(): Promise<EventPart | undefined> {
    while (!this.#hasLeft) {
      const part = this.#waiting.shift();
      if (part !== undefined) {
        if (this.#waiting.length === WAITING_MAX - 1) this.onChange();
        return part;
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
  }
}

/** What a call gives that is made in the name of a user, whoever takes it. */
export async function* inNameOf<T>(userId: bigint, call: () => AsyncIterable<T>): AsyncGenerator<T> {
  const context = { requestId: newId(), ...currentContext(), userId };
  const parts = withContext(context, () => call()[Symbol.asyncIterator]());
  try {
    // a call is made when its first part is asked for
    for (let next = await withContext(context, () => parts.next()); !next.done; next = await parts.next()) {
      yield next.value;
    }
  } finally {
    await parts.return?.();
  }
}
