import type { OutputError } from '@tally/simulators';
import { type FailureReason, failure } from './errors.js';
import type { LimitName, ProcessEnd, StopCause, TaskEnd } from './task.js';

/** What is known when the simulator's process is gone. */
export interface Evidence {
  readonly process: ProcessEnd;
  /** Why we stopped it; absent: it ended by itself. */
  readonly stopCause: StopCause | undefined;
  /** What it left, read only after exit code 0. */
  readonly output: OutputEvidence;
  /** Primaries that the task was asked for. */
  readonly primaries: number;
  /** Last lines of standard error. */
  readonly errorLines: readonly string[];
  /** What the driver knows of exit codes: true, the simulator refuses the deck. */
  readonly isRefusal: (exitCode: number) => boolean;
}
export type OutputEvidence =
  | { readonly kind: 'read'; readonly primaries: number }
  | { readonly kind: 'unusable'; readonly err: OutputError }
  | { readonly kind: 'not-read' };

const LIMIT_REASONS = {
  'time-limit': 'TIME_LIMIT_EXCEEDED',
  'memory-limit': 'MEMORY_LIMIT_EXCEEDED',
  'output-limit': 'OUTPUT_LIMIT_EXCEEDED',
} as const satisfies Record<LimitName, FailureReason>;

const OUTPUT_REASONS = {
  MISSING: 'OUTPUT_MISSING',
  UNREADABLE: 'OUTPUT_UNREADABLE',
  UNSUPPORTED: 'OUTPUT_UNSUPPORTED',
} as const satisfies Record<OutputError['reason'], FailureReason>;

/**
 * How the attempt ended, from the end of its process and nothing else: silence, missing progress or a slow file system
 * decide nothing. `undefined`: nobody is to be told, because the attempt is not ours any more.
 */
export function decideEnd(evidence: Evidence): TaskEnd | undefined {
  const { stopCause, process } = evidence;
  switch (stopCause) {
    case 'unwanted':
    case 'lease-lost':
      return undefined;
    case 'time-limit':
    case 'memory-limit':
    case 'output-limit':
      return failedWith(LIMIT_REASONS[stopCause], evidence, describeEnd(process));
    case 'draining': {
      const own = decideOwnEnd(evidence); // it may have finished just before the signal
      return own.kind === 'completed' ? own : { kind: 'released' };
    }
    case undefined:
      return decideOwnEnd(evidence);
  }
}

function decideOwnEnd(evidence: Evidence): TaskEnd {
  const { process } = evidence;
  switch (process.kind) {
    case 'unstartable':
      return { kind: 'failed', ...failure('SIMULATOR_UNSTARTABLE', process.message) };
    case 'signalled':
      return failedWith('SIMULATOR_CRASHED', evidence, describeEnd(process));
    case 'exited':
      if (evidence.isRefusal(process.exitCode)) return failedWith('SIMULATOR_REFUSED', evidence, describeEnd(process));
      if (process.exitCode !== 0) return failedWith('SIMULATOR_FAILED', evidence, describeEnd(process));
      return decideByOutput(evidence);
  }
}

function decideByOutput(evidence: Evidence): TaskEnd {
  const { output, primaries } = evidence;
  switch (output.kind) {
    case 'not-read':
      return failedWith('OUTPUT_MISSING', evidence);
    case 'unusable': {
      return failedWith(OUTPUT_REASONS[output.err.reason], evidence, output.err.message);
    }
    case 'read':
      if (output.primaries === primaries) return { kind: 'completed', simulatedPrimaries: primaries };
      return failedWith('OUTPUT_INCOMPLETE', evidence, `${output.primaries} of ${primaries}`);
  }
}

/** For people: `exit code 3`, `signal SIGSEGV`. */
export function describeEnd(process: ProcessEnd): string {
  switch (process.kind) {
    case 'exited':
      return `exit code ${process.exitCode}`;
    case 'signalled':
      return `signal ${process.signal}`;
    case 'unstartable':
      return `not started: ${process.message}`;
  }
}

function failedWith(reason: FailureReason, { errorLines }: Evidence, detail = ''): TaskEnd {
  const tail = errorLines.length === 0 ? '' : `; its last words: ${errorLines.join(' | ')}`;
  const known = failure(reason, detail);
  return { kind: 'failed', ...known, message: known.message + tail };
}
