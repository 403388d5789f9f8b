import { systemClock } from '@tally/service-kit/clock';
import { hasMark, isFirstOfNamespace, readProcess, readProcesses, withDescendants } from './process-table.js';

const POLL_INTERVAL_MS_FIRST = 1;
const POLL_INTERVAL_MS_MAX = 100;
/** After SIGKILL: a busy machine takes seconds for thousands of processes. */
const KILL_WAIT_MS = 30_000;

/**
 * Ends a PID namespace: SIGTERM to what runs in it, and after `graceMs` SIGKILL to the process outside that holds it,
 * with which the kernel ends all of it. Resolves when that process has ended.
 * @param holder - the process outside: the parent of the namespace's first
 */
export async function endNamespace(holder: number, graceMs: number): Promise<void> {
  if (graceMs > 0) {
    for (const pid of await insideOf(holder)) send(pid, 'SIGTERM');
    if (await isTrueIn(graceMs, () => readProcess(holder) === undefined)) return;
  }
  send(holder, 'SIGKILL');
  await isTrueIn(KILL_WAIT_MS, () => readProcess(holder) === undefined);
}

/**
 * Ends the namespace of an attempt whose holder has ended. The kernel has killed its first process with the holder if that
 * process had asked for it; bwrap's asks late in its set-up: one whose holder was killed before waits for ever for a word
 * of it, or goes on to run the command. So it is killed here. Waits for the first processes of other attempts, too.
 * @param program - name of the holders and of those first processes
 * @param listOrphans - among these are the processes whose parents have ended
 * @throws Error when the kernel does not let go of one
 */
export async function endOrphanedNamespace(
  program: string,
  attemptId: string,
  listOrphans: () => readonly number[],
): Promise<void> {
  const isOrphanedFirst = (pid: number) => {
    const entry = readProcess(pid);
    if (entry?.name !== program || !isFirstOfNamespace(pid)) return false;
    return readProcess(entry.parentPid)?.name !== program;
  };
  const isGone = () => {
    const orphaned = listOrphans().filter(isOrphanedFirst);
    for (const pid of orphaned) if (hasMark(pid, attemptId)) send(pid, 'SIGKILL');
    return orphaned.length === 0;
  };
  if (!(await isTrueIn(KILL_WAIT_MS, isGone))) throw new Error('processes of a namespace survive SIGKILL');
}

/** What runs in the namespace, without its first process: that only waits for the others. */
async function insideOf(holder: number): Promise<number[]> {
  const processes = await readProcesses();
  return withDescendants(processes, [holder]).filter((pid) => {
    const { parentPid } = processes.get(pid) ?? {};
    return pid !== holder && parentPid !== holder;
  });
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

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended in between
  }
}
