import type { LimitName } from '@tally/launcher';
import { describeFailure, describeProcessEnd, judgeRun, type RunEvidence } from '@tally/simulators/run';
import { type FailureReason, newFailure } from './errors.js';
import type { StopCause, TaskEnd } from './task.js';

/** What is known when the simulator's process has ended. */
export interface Evidence extends RunEvidence {
  /** Why we stopped it; absent: it ended by itself. */
  readonly stopCause: StopCause | undefined;
}

const LIMIT_REASONS = {
  'no-progress': 'TASK_STALLED',
  'time-limit': 'TIME_LIMIT_EXCEEDED',
  'memory-limit': 'MEMORY_LIMIT_EXCEEDED',
  'process-limit': 'PROCESS_LIMIT_EXCEEDED',
  'output-limit': 'OUTPUT_LIMIT_EXCEEDED',
} as const satisfies Record<LimitName | 'no-progress', FailureReason>;

/**
 * How the attempt ended: as its run did, unless it was stopped from here. `undefined`: nothing is reported, because
 * the attempt is not ours any more.
 */
export function decideEnd(evidence: Evidence): TaskEnd | undefined {
  const { stopCause } = evidence;
  switch (stopCause) {
    case 'revoked':
    case 'lease-lost':
      return undefined;
    case 'no-progress':
    case 'time-limit':
    case 'memory-limit':
    case 'process-limit':
    case 'output-limit':
      return brokenLimit(LIMIT_REASONS[stopCause], evidence);
    case 'draining':
    case 'finished': {
      const own = decideOwnEnd(evidence); // it may have finished just before the signal
      return own.kind === 'completed' ? own : { kind: 'released' };
    }
    case undefined:
      return decideOwnEnd(evidence);
  }
}

function decideOwnEnd(evidence: RunEvidence): TaskEnd {
  const end = judgeRun(evidence);
  if (end.kind === 'completed') return end;
  const { process } = evidence;
  const ended = {
    ...(process.kind === 'exited' ? { exitCode: process.exitCode } : {}),
    ...(process.kind === 'signalled' ? { signal: process.signal } : {}),
  };
  return { kind: 'failed', ...newFailure(end.fault), message: end.message, ...ended };
}

function brokenLimit(reason: FailureReason, { process, errorLines }: RunEvidence): TaskEnd {
  const known = newFailure(reason);
  const message = describeFailure(known.message, describeProcessEnd(process), errorLines);
  return { kind: 'failed', ...known, message };
}
