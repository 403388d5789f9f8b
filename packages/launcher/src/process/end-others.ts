import { systemClock } from '@tally/service-kit/clock';
import { errorCode } from '../error-code.js';
import { listProcesses, readProcess } from './process-table.js';

const POLL_INTERVAL_MS_FIRST = 1;
const POLL_INTERVAL_MS_MAX = 100;
/** After SIGKILL: a busy machine takes seconds for thousands of processes. */
const KILL_WAIT_MS = 30_000;
const EVERYBODY = -1;

/** All processes of this PID namespace but this one, which must be its first. */
export function listOthers(): number[] {
  return listProcesses().filter((pid) => pid !== process.pid);
}

/**
 * Ends all other processes of this PID namespace: SIGTERM to all, and after `graceMs` SIGKILL, at once and again until
 * none is left (kill(2) with −1: nothing that forks meanwhile gets away). Of a process that is not the first of its
 * namespace it would end the whole machine's: it throws.
 * @param reap - waits for those of them that have ended
 * @param isOver - somebody else ends the rest: what starts from then on is not to be ended by this call
 * @throws Error when the kernel does not let go of one
 */
export async function endOthers(
  graceMs: number,
  reap: () => unknown,
  isOver: () => boolean = () => false,
): Promise<void> {
  if (process.pid !== 1) throw new Error('only the first process of a PID namespace may end all others');
  const areGone = () => {
    if (isOver()) return true;
    reap();
    return !listOthers().some((pid) => readProcess(pid) !== undefined);
  };
  if (areGone()) return;
  if (graceMs > 0) {
    sendAll('SIGTERM');
    if (await isTrueIn(graceMs, areGone)) return;
  }
  const deadline = performance.now() + KILL_WAIT_MS;
  while (performance.now() < deadline) {
    sendAll('SIGKILL');
    if (await isTrueIn(POLL_INTERVAL_MS_MAX, areGone)) return;
  }
  throw new Error('processes of this namespace survive SIGKILL');
}

function sendAll(signal: NodeJS.Signals): void {
  try {
    process.kill(EVERYBODY, signal);
  } catch (err) {
    if (errorCode(err) !== 'ESRCH') throw err;
  }
}

async function isTrueIn(waitMs: number, isTrue: () => boolean): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = POLL_INTERVAL_MS_FIRST; !isTrue(); pauseMs = Math.min(2 * pauseMs, POLL_INTERVAL_MS_MAX)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await systemClock.sleep(Math.min(pauseMs, leftMs));
  }
  return true;
}
