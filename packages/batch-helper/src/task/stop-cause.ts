/**
 * Why a running task is stopped from here; the reason of the signal that stops it. `ended-elsewhere`: another run of the
 * same task has written its end.
 */
export type StopCause = 'scheduler' | 'cancelled' | 'ended-elsewhere';

/** For users: why a task that was stopped failed. */
export const STOP_FAILURES: Readonly<Record<StopCause, string>> = {
  scheduler: 'stopped by the scheduler before it was finished (wall time limit or cancellation)',
  cancelled: 'cancelled',
  'ended-elsewhere': 'another run of the task has ended',
};

/** Why a signal that stops tasks was aborted; undefined: it was not. */
export function causeOf(signal: AbortSignal): StopCause | undefined {
  return signal.aborted ? (signal.reason as StopCause) : undefined;
}
