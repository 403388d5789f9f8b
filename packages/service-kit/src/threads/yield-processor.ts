import { getPriority, setPriority } from 'node:os';
import process from 'node:process';

/** Of threads whose work can wait. */
export const THREAD_NICENESS = 10;

/**
 * The thread that calls it gets what event loops leave of the processors: they answer at once, and its work can wait. On Linux a nice
 * value belongs to a thread (setpriority(2), Notes); elsewhere it would slow the whole process down, and nothing is done.
 */
export function yieldProcessor(): void {
  // who runs it may have given it even less, which only root takes back
  if (process.platform === 'linux') setPriority(Math.max(getPriority(), THREAD_NICENESS));
}
