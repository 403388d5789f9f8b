import { NotReadyError } from '../readiness.js';
import { type Queue, QueueError } from './queue.js';

/** The queue, opened when it is first needed, and again until it can be opened: its service starts while the broker is away. */
export interface LazyQueue {
  /** Rejects when the queue cannot be opened; the next call tries again. */
  get(): Promise<Queue>;
  /** Resolves if the broker answers. @throws NotReadyError that says what the broker refuses; QueueError when it does not answer */
  health(): Promise<void>;
  /**
   * Resolves unless the broker has refused us since the start, also while it is away: for a service that does most of its work without.
   * @throws NotReadyError that says what it refuses
   */
  requireNotRefused(): Promise<void>;
  /** Ends the queue, also one that is still being opened; does not wait for that. */
  close(): Promise<void>;
}

/** A queue that is opened by `open` when it is first asked for. */
export function lazyQueue(open: () => Promise<Queue>): LazyQueue {
  let opening: Promise<Queue> | undefined;
  let opened: Queue | undefined;
  let fault: unknown = new QueueError('UNAVAILABLE', 'the broker has not answered yet');
  let isClosed = false;
  const openOnce = async () => {
    try {
      const queue = await open();
      if (isClosed) await queue.close();
      else opened = queue;
      return queue;
    } catch (err) {
      opening = undefined;
      fault = err;
      throw err;
    }
  };
  const get = () => {
    if (isClosed) return Promise.reject(new Error('the queue is closed'));
    opening ??= openOnce();
    return opening;
  };
  /** Whoever asks for its health has it opened, and does not wait for that. */
  const openBehind = () => void get().catch(() => undefined); // the fault is kept
  return {
    get,
    health: async () => {
      if (opened !== undefined) return opened.health().catch(throwSaying);
      openBehind();
      throwSaying(fault);
    },
    requireNotRefused: async () => {
      if (opened !== undefined) return;
      openBehind();
      if (isRefused(fault)) throwSaying(fault);
    },
    close: async () => {
      isClosed = true;
      await opened?.close();
    },
  };
}

const isRefused = (err: unknown): err is QueueError => err instanceof QueueError && err.reason === 'REFUSED';

function throwSaying(err: unknown): never {
  throw isRefused(err) ? new NotReadyError(err.message, { cause: err }) : err;
}
