import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { Lanes } from '../lanes.js';
import type { ThreadAnswer } from './serve-thread.js';

export interface ThreadPoolOptions {
  /** Program of the threads, which calls serveThread; see {@link builtProgram}. */
  readonly program: URL;
  readonly threadsMax: number;
  /** Requests that may wait for a thread; where there is no room, a longer lane gives its last one up. */
  readonly waitingMax: number;
  /** How long a thread may work on one request, milliseconds; its start counts. */
  readonly timeLimitMs: number;
  /** Largest heap of a thread, bytes; what it is handed as bytes does not count. */
  readonly heapBytesMax: number;
  /** A thread without work ends after this long, milliseconds; infinite: it is kept. */
  readonly idleMs?: number;
}

/** Why a pool did not do something: too many wait already, or it took more time or memory than is allowed. */
export class ThreadPoolError extends Error {
  override readonly name = 'ThreadPoolError';
  constructor(readonly limit: 'waiting' | 'time' | 'memory') {
    super(`the limit of ${limit} of the threads was reached`);
  }
}

export interface RunOptions {
  /** Memory of the input that is handed over instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Requests of one lane are worked on one after the other, and lanes take turns: a user. Without: each has its own. */
  readonly lane?: string;
}

interface Request {
  readonly lane: string | symbol;
  readonly input: unknown;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (value: never) => void;
  readonly reject: (err: Error) => void;
}

const IDLE_MS = 60_000;

/**
 * Does untrusted work beside the event loop: a bounded number of threads, each with one request at a time and limits of
 * time and memory. A thread that passes a limit is ended; the next request starts another.
 */
export class ThreadPool {
  readonly #waiting = new Lanes<Request>();
  /** Lanes that a thread works for: they wait for it. */
  readonly #working = new Set<string | symbol>();
  readonly #idle: Worker[] = [];
  readonly #threads = new Set<Worker>();
  #isStopped = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  /** @throws ThreadPoolError, and the ServiceError that the program throws */
  run<T>(input: unknown, options: RunOptions = {}): Promise<T> {
    const { transfer = [] } = options;
    const lane = options.lane ?? Symbol('lane of its own');
    return new Promise<T>((resolve, reject) => {
      if (this.#isStopped) throw new Error('the threads are stopping');
      const isFree = this.#idle.length > 0 || this.#threads.size < this.options.threadsMax;
      if (!isFree || this.#working.has(lane)) this.#makeRoom(lane);
      this.#waiting.add(lane, { lane, input, transfer, resolve, reject });
      this.#next();
    });
  }

  /** Ends all threads; what they work on and what waits fails. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { reject } of this.#waiting.clear()) reject(new Error('the threads are stopping'));
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #makeRoom(lane: string | symbol): void {
    const { isFull, displaced } = this.#waiting.makeRoom(lane, this.options.waitingMax);
    if (isFull) throw new ThreadPoolError('waiting');
    displaced?.reject(new ThreadPoolError('waiting'));
  }

  #next(): void {
    if (this.#idle.length === 0 && this.#threads.size >= this.options.threadsMax) return;
    const next = this.#waiting.takeNext((lane) => !this.#working.has(lane));
    if (next === undefined) return;
    this.#working.add(next.lane);
    this.#work(this.#idle.pop() ?? this.#start(), next.entry);
  }

  #start(): Worker {
    const heapMib = Math.ceil(this.options.heapBytesMax / 2 ** 20);
    const thread = new Worker(this.options.program, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: Math.min(heapMib, 32) },
    });
    this.#threads.add(thread);
    thread.on('error', () => {}); // whoever waits for it listens, too
    thread.once('exit', () => {
      this.#threads.delete(thread);
      if (!this.#isStopped) this.#next();
    });
    return thread;
  }

  #work(thread: Worker, { lane, input, transfer, resolve, reject }: Request): void {
    const finish = (settle: () => void) => {
      clearTimeout(limit);
      this.#working.delete(lane);
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit);
      settle();
    };
    const end = (err: Error) => {
      finish(() => reject(err));
      void thread.terminate();
    };
    const onAnswer = (answer: ThreadAnswer) => {
      finish(() => settle(answer, resolve, reject));
      this.#rest(thread);
      this.#next();
    };
    const onError = (err: unknown) => end(toError(err));
    const onExit = () => end(new Error('a thread has ended'));
    const limit = setTimeout(() => end(new ThreadPoolError('time')), this.options.timeLimitMs);
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit);
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(input, [...transfer]);
  }

  #rest(thread: Worker): void {
    thread.unref();
    this.#idle.push(thread);
    const leave = () => {
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
      return at >= 0;
    };
    const { idleMs = IDLE_MS } = this.options;
    const isKept = idleMs === Number.POSITIVE_INFINITY;
    const end = isKept ? undefined : setTimeout(() => leave() && void thread.terminate(), idleMs).unref();
    thread.once('exit', () => {
      clearTimeout(end);
      leave();
    });
  }
}

function settle(answer: ThreadAnswer, resolve: Request['resolve'], reject: Request['reject']): void {
  if ('value' in answer) return resolve(answer.value as never);
  if ('failed' in answer) return reject(new Error(`a thread failed: ${answer.failed}`));
  const { domain, reason, status, message, fields, retryAfterMs } = answer.refused;
  const delay = retryAfterMs === undefined ? {} : { retryAfterMs };
  const cause = answer.cause === undefined ? {} : { cause: new Error(answer.cause) };
  reject(new ServiceError(domain, reason, status, message, { fields, ...delay, ...cause }));
}

/** @param err - of a worker: `ERR_WORKER_OUT_OF_MEMORY` when it passed its resource limits */
function toError(err: unknown): Error {
  const isOutOfMemory =
    typeof err === 'object' && err !== null && Reflect.get(err, 'code') === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory ? new ThreadPoolError('memory') : new Error('a thread failed', { cause: err });
}

/**
 * Where the build of a program lies, also for who runs from TypeScript sources (tests do): threads are started by Node
 * itself, which reads JavaScript only.
 * @param beside - `import.meta.url` of the module that asks
 * @param file - relative to it: `./read-thread.js`
 */
export function builtProgram(beside: string, file: string): URL {
  return new URL(new URL(file, beside).href.replace(/(?<!\/dist)\/src\/(?!.*\/src\/)/, '/dist/src/'));
}
