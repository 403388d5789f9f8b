import { combineSignals } from '@tally/service-kit';

/** Whether a runner takes tasks: an operator may drain it and take that back. */
export interface Intake {
  /** Closes or opens; what it was before is no change. */
  set(isOpen: boolean): void;
  /**
   * Waits until it is open, and receives; what has not received anything when it closes begins again. Rejects when the signal aborts, and
   * with what went wrong on receiving.
   */
  receive<T>(receive: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Opening {
  readonly promise: Promise<void>;
  resolve(): void;
}

function createOpening(): Opening {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** An intake that is open. */
export function createIntake(): Intake {
  let closing = new AbortController();
  let opening: Opening | undefined;
  const opened = (wait: Promise<void>, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      void wait.then(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  return {
    set(isOpen) {
      if (isOpen === (opening === undefined)) return;
      if (isOpen) {
        closing = new AbortController();
        opening?.resolve();
        opening = undefined;
      } else {
        opening = createOpening();
        closing.abort('drained by an operator');
      }
    },
    async receive(receive, signal) {
      for (;;) {
        signal.throwIfAborted();
        if (opening !== undefined) {
          await opened(opening.promise, signal);
          continue;
        }
        const closed = closing.signal;
        const both = combineSignals(signal, closed);
        try {
          return await receive(both.signal);
        } catch (err) {
          if (signal.aborted || !closed.aborted) throw err;
        } finally {
          both.end();
        }
      }
    },
  };
}
