import { setTimeout as sleep } from 'node:timers/promises';
import { groupMembers, strayProcesses } from './process-table.js';

const POLL_MS_FIRST = 5;
const POLL_MS_MAX = 200;
/** After SIGKILL: only a process in an uninterruptible wait of the kernel lasts longer. */
const KILL_WAIT_MS = 5_000;

/** What is to be ended: a process group that is provably the attempt's, if any, and whatever carries its mark. */
export interface Target {
  readonly groupId: number | undefined;
  readonly attemptId: string;
}

/**
 * SIGTERM to all processes of an attempt, SIGKILL to those that live `graceMs` later. Resolves when none lives, to how
 * many there were; rejects when the kernel does not let go of one.
 */
export async function endProcesses(target: Target, graceMs: number): Promise<number> {
  const count = livingProcesses(target).length;
  if (count === 0) return 0;
  if (graceMs > 0) {
    signalAll(target, 'SIGTERM');
    if (await areGone(target, graceMs)) return count;
  }
  signalAll(target, 'SIGKILL');
  if (!(await areGone(target, KILL_WAIT_MS))) throw new Error('processes of an attempt survive SIGKILL');
  return count;
}

function livingProcesses({ groupId, attemptId }: Target): number[] {
  const members = groupId === undefined ? [] : groupMembers(groupId);
  return [...members, ...strayProcesses(attemptId, groupId)];
}

function signalAll({ groupId, attemptId }: Target, signal: NodeJS.Signals): void {
  if (groupId !== undefined) send(-groupId, signal); // all at once, so that no member can fork away
  for (const pid of strayProcesses(attemptId, groupId)) send(pid, signal);
}

async function areGone(target: Target, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  for (let pollMs = POLL_MS_FIRST; ; pollMs = Math.min(2 * pollMs, POLL_MS_MAX)) {
    if (livingProcesses(target).length === 0) return true;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await sleep(Math.min(pollMs, leftMs));
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended in between
  }
}
