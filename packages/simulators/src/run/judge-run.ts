import type { OutputError } from '../output-error.js';

/** How a simulator's process ended. */
export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'unstartable'; readonly message: string };

/** What a simulator has left, looked at only after exit code 0. */
export type OutputEvidence =
  | { readonly kind: 'read'; readonly primaries: number }
  | { readonly kind: 'unusable'; readonly err: OutputError }
  | { readonly kind: 'not-read' };

/** What is known when a simulator has ended by itself. */
export interface RunEvidence {
  readonly process: ProcessEnd;
  readonly output: OutputEvidence;
  /** Primaries that the task was asked for. */
  readonly primaries: number;
  /** What the simulator itself says that it has simulated; absent: it does not say. */
  readonly countedPrimaries?: number | undefined;
  /** It was told to finish early: an output of fewer is whole. Absent: it was not. */
  readonly isFinishedEarly?: boolean;
  /** Last lines of standard error. */
  readonly errorLines: readonly string[];
  /** What the driver knows of exit codes: true, the simulator refuses the deck. */
  readonly isRefusal: (exitCode: number) => boolean;
}

/** Why a run gave no result, in a sentence for users. */
export const RUN_FAULTS = {
  SIMULATOR_UNSTARTABLE: 'the simulator could not be started',
  SIMULATOR_FAILED: 'the simulator failed',
  SIMULATOR_REFUSED: 'the simulator refuses the input',
  SIMULATOR_CRASHED: 'the simulator crashed',
  OUTPUT_MISSING: 'the simulator ended without an error but wrote no output',
  OUTPUT_UNREADABLE: 'the output of the simulator cannot be read',
  OUTPUT_UNSUPPORTED: 'the output of the simulator has something that is not read here',
  OUTPUT_INCOMPLETE: 'the simulator simulated another number of primaries than the task has',
} as const;
export type RunFault = keyof typeof RUN_FAULTS;

/** How a run ended; `message`: the sentence, what exactly happened, and the end of its error output. */
export type RunEnd =
  | { readonly kind: 'completed'; readonly simulatedPrimaries: number }
  | { readonly kind: 'failed'; readonly fault: RunFault; readonly message: string };

const OUTPUT_FAULTS = {
  MISSING: 'OUTPUT_MISSING',
  UNREADABLE: 'OUTPUT_UNREADABLE',
  UNSUPPORTED: 'OUTPUT_UNSUPPORTED',
} as const satisfies Record<OutputError['reason'], RunFault>;

/**
 * How a run ended, from the end of its process, its output and nothing else: silence, missing progress or a slow file
 * system decide nothing.
 */
export function judgeRun(evidence: RunEvidence): RunEnd {
  const { process } = evidence;
  switch (process.kind) {
    case 'unstartable':
      return failed('SIMULATOR_UNSTARTABLE', evidence, process.message);
    case 'signalled':
      return failed('SIMULATOR_CRASHED', evidence, describeProcessEnd(process));
    case 'exited':
      if (process.exitCode === 0) return judgeOutput(evidence);
      return failed(
        evidence.isRefusal(process.exitCode) ? 'SIMULATOR_REFUSED' : 'SIMULATOR_FAILED',
        evidence,
        describeProcessEnd(process),
      );
  }
}

function judgeOutput(evidence: RunEvidence): RunEnd {
  const { output } = evidence;
  switch (output.kind) {
    case 'not-read':
      return failed('OUTPUT_MISSING', evidence);
    case 'unusable':
      return failed(OUTPUT_FAULTS[output.err.reason], evidence, output.err.message);
    case 'read':
      return judgePrimaries(evidence, output.primaries);
  }
}

/** An output may not say how many it stands for, so that what the simulator printed counts, too. */
function judgePrimaries(evidence: RunEvidence, simulatedPrimaries: number): RunEnd {
  const { primaries, countedPrimaries, isFinishedEarly = false } = evidence;
  const isWhole = (count: number): boolean => count === primaries || (isFinishedEarly && count < primaries);
  const wrong = [simulatedPrimaries, countedPrimaries ?? simulatedPrimaries].find((count) => !isWhole(count));
  if (wrong === undefined) return { kind: 'completed', simulatedPrimaries };
  return failed('OUTPUT_INCOMPLETE', evidence, `${wrong} instead of ${primaries}`);
}

/** For people: `exit code 3`, `signal SIGSEGV`. */
export function describeProcessEnd(process: ProcessEnd): string {
  switch (process.kind) {
    case 'exited':
      return `exit code ${process.exitCode}`;
    case 'signalled':
      return `signal ${process.signal}`;
    case 'unstartable':
      return `not started: ${process.message}`;
  }
}

/** A sentence, what exactly happened, and the last lines of standard error. */
export function describeFailure(sentence: string, detail: string, errorLines: readonly string[]): string {
  const what = detail === '' ? sentence : `${sentence}: ${detail}`;
  return errorLines.length === 0 ? what : `${what}; its error output ends: ${errorLines.join(' | ')}`;
}

function failed(fault: RunFault, { errorLines }: RunEvidence, detail = ''): RunEnd {
  return { kind: 'failed', fault, message: describeFailure(RUN_FAULTS[fault], detail, errorLines) };
}
