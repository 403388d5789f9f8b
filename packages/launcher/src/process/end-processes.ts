import { systemClock } from '@tally/service-kit/clock';
import { groupMembers, listProcesses, strayProcesses } from './process-table.js';

const POLL_INTERVAL_MS_FIRST = 5;
const POLL_INTERVAL_MS_MAX = 200;
/** After SIGKILL: only a process in an uninterruptible wait of the kernel lasts longer. */
const KILL_WAIT_MS = 5_000;

/** What is to be ended: a process group that is provably the attempt's, if any, and whatever carries its mark. */
export interface ProcessTarget {
  readonly groupId: number | undefined;
  readonly attemptId: string;
  /** The processes among which the mark is looked for; all of the machine unless given. */
  readonly listCandidates?: () => readonly number[];
}

/**
 * SIGTERM to all processes of an attempt, SIGKILL to those that live `graceMs` later. Resolves when none lives, to how
 * many there were; rejects when the kernel does not let go of one.
 */
export async function endProcesses(target: ProcessTarget, graceMs: number): Promise<number> {
  const living = await livingProcesses(target);
  const count = living.members.length + living.strays.length;
  if (count === 0) return 0;
  if (graceMs > 0) {
    signalAll(target, living, 'SIGTERM');
    if (await areGone(target, graceMs)) return count;
  }
  const deadline = performance.now() + KILL_WAIT_MS;
  for (let left = living; performance.now() < deadline; left = await livingProcesses(target)) {
    signalAll(target, left, 'SIGKILL'); // again: the end of one shows the next, its child
    if (await areGone(target, POLL_INTERVAL_MS_MAX)) return count;
  }
  throw new Error('processes of an attempt survive SIGKILL');
}

interface LivingProcesses {
  readonly members: readonly number[];
  readonly strays: readonly number[];
}

async function livingProcesses({ groupId, attemptId, listCandidates }: ProcessTarget): Promise<LivingProcesses> {
  const members = groupId === undefined ? [] : await groupMembers(groupId);
  const strays = await strayProcesses(attemptId, groupId, (listCandidates ?? listProcesses)());
  return { members, strays };
}

function signalAll({ groupId }: ProcessTarget, { members, strays }: LivingProcesses, signal: NodeJS.Signals): void {
  if (groupId !== undefined && members.length > 0) send(-groupId, signal); // all at once: no member can fork away
  for (const pid of strays) send(pid, signal);
}

async function areGone(target: ProcessTarget, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = POLL_INTERVAL_MS_FIRST; ; pauseMs = Math.min(2 * pauseMs, POLL_INTERVAL_MS_MAX)) {
    const { members, strays } = await livingProcesses(target);
    if (members.length + strays.length === 0) return true;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await systemClock.sleep(Math.min(pauseMs, leftMs));
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended in between
  }
}
