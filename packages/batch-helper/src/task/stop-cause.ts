/**
 * Why a running task is stopped from here; the reason of the signal that stops it. `ended-elsewhere`: another run of the
 * same task has written its end. `finished`: what is simulated is to be handed over, and the simulator cannot do that.
 * `no-progress`: the simulator has told none for too long.
 */
export type StopCause = 'scheduler' | 'cancelled' | 'finished' | 'ended-elsewhere' | 'no-progress';

/** For users: why a task that was stopped failed. */
export const STOP_FAILURES: Readonly<Record<StopCause, string>> = {
  scheduler: 'stopped by the scheduler before it was finished (wall time limit or cancellation)',
  cancelled: 'cancelled',
  finished: 'the job was stopped, and this simulator has no output before its end',
  'ended-elsewhere': 'another run of the task has ended',
  'no-progress': 'the simulator was stopped: it has made no progress for too long',
};

/** Why a signal that stops tasks was aborted; undefined: it was not. */
export function causeOf(signal: AbortSignal): StopCause | undefined {
  return signal.aborted ? (signal.reason as StopCause) : undefined;
}
