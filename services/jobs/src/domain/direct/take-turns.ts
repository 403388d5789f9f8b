/** What decides whether a task is given to the worker that asks for it, or another user's goes first. */
export interface Turn {
  /** A task of the owner runs. */
  readonly isRunning: boolean;
  /** Another user waits of whom nothing runs; looked for only if a task of the owner runs. */
  readonly isIdleUserWaiting: boolean;
  /** One of these was last given a task before the owner was, or never; looked for only if no task of the owner runs. */
  readonly isLongerIdleUserWaiting: boolean;
  /** Since this task had to wait for another user's, milliseconds; null: it never had. */
  readonly deferredMs: number | null;
}

/**
 * A task that was deferred is given for so long whoever waits: were the other user's task not to be had after all, no slot stays
 * empty for it.
 */
export const DEFERRAL_MS = 2_000;

/**
 * Whether another user's task goes first: a user with nothing running comes before one with something, and of two with nothing the
 * one who was served longest ago. Nobody waits for more than the end of one task a slot, however many tasks others have queued.
 */
export function mustYield(turn: Turn): boolean {
  if (turn.deferredMs !== null && turn.deferredMs < DEFERRAL_MS) return false;
  return turn.isRunning ? turn.isIdleUserWaiting : turn.isLongerIdleUserWaiting;
}
