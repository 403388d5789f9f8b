/**
 * Why a task or a job FAILED. What is stored and sent is a text, `CODE: sentence`, whoever wrote it: a runner, the program on
 * a cluster's node, batch-bridge, jobs. Here are all codes, and how the text is read into its parts.
 */

/** What was being done: handing the job to a cluster, waiting there, running the simulator, delivering its output, merging. */
export type FailureStage = 'submit' | 'queue' | 'run' | 'deliver' | 'merge';

interface FailureCodeFacts {
  readonly stage: FailureStage;
  /** True: the same again may go well. */
  readonly isRetryable: boolean;
  readonly when: string;
}

export const FAILURE_CODES = {
  DECK_UNAVAILABLE: { stage: 'run', isRetryable: true, when: 'the input of the job could not be read' },
  DECK_INVALID: {
    stage: 'run',
    isRetryable: false,
    when: 'the input of the job cannot be divided into tasks, or stored',
  },
  SIMULATOR_UNSUPPORTED: { stage: 'run', isRetryable: true, when: 'there was no executable of the simulator' },
  FILES_UNCONFINED: {
    stage: 'run',
    isRetryable: true,
    when: "the runner does not confine simulators, and gives them no user's own files; another one may",
  },
  SIMULATOR_UNSTARTABLE: { stage: 'run', isRetryable: true, when: 'the operating system did not start the simulator' },
  SIMULATOR_FAILED: { stage: 'run', isRetryable: true, when: 'the simulator ended with an exit code other than 0' },
  SIMULATOR_REFUSED: {
    stage: 'run',
    isRetryable: false,
    when: 'the simulator ended with the exit code for a wrong input',
  },
  SIMULATOR_CRASHED: { stage: 'run', isRetryable: true, when: 'a signal ended the simulator' },
  TASK_STALLED: {
    stage: 'run',
    isRetryable: true,
    when: 'the simulator was stopped: no progress for the configured time',
  },
  TIME_LIMIT_EXCEEDED: { stage: 'run', isRetryable: false, when: 'the task ran longer than a task may' },
  MEMORY_LIMIT_EXCEEDED: { stage: 'run', isRetryable: false, when: 'the task used more memory than a task may' },
  PROCESS_LIMIT_EXCEEDED: { stage: 'run', isRetryable: false, when: 'the task started more processes than a task may' },
  OUTPUT_LIMIT_EXCEEDED: { stage: 'run', isRetryable: false, when: 'the task wrote more data than a task may' },
  OUTPUT_MISSING: { stage: 'run', isRetryable: true, when: 'the simulator wrote no output, or the output never came' },
  OUTPUT_UNREADABLE: { stage: 'run', isRetryable: true, when: 'the output of the simulator cannot be read' },
  OUTPUT_UNSUPPORTED: { stage: 'run', isRetryable: false, when: 'the output has nothing in it that is read' },
  OUTPUT_INCOMPLETE: { stage: 'run', isRetryable: false, when: 'the output stands for another number of primaries' },
  PRIMARIES_MISSING: { stage: 'run', isRetryable: true, when: 'a worker said that it is done, with primaries missing' },
  RUNNER_LOST: { stage: 'run', isRetryable: true, when: 'the runner of the task ended unexpectedly' },
  RUNNER_FAULT: { stage: 'run', isRetryable: true, when: 'an unexpected error in the runner; its log has the details' },
  WORKER_LOST: { stage: 'run', isRetryable: true, when: 'the worker was not heard of any more, too often' },
  WORKER_STOPPED: { stage: 'run', isRetryable: true, when: 'workers handed it back too often' },
  SCHEDULER_ENDED: {
    stage: 'run',
    isRetryable: true,
    when: "the cluster's scheduler ended the task, for the reason in `detail`",
  },
  SCHEDULER_LOST: {
    stage: 'queue',
    isRetryable: true,
    when: "the cluster's scheduler does not know the task any more",
  },
  HELPER_FAILED: { stage: 'run', isRetryable: true, when: 'the program that runs tasks on nodes could not do it' },
  OUTPUT_REFUSED: {
    stage: 'deliver',
    isRetryable: false,
    when: 'the output was not accepted, because of its size for example',
  },
  OUTPUT_UNDELIVERED: { stage: 'deliver', isRetryable: true, when: 'the output could not be delivered in time' },
  RESULTS_INCOMPLETE: { stage: 'merge', isRetryable: true, when: 'the output of a task was not there for the merge' },
  RESULTS_INCONSISTENT: { stage: 'merge', isRetryable: false, when: 'the outputs of the tasks do not fit together' },
  RESULTS_REFUSED: { stage: 'merge', isRetryable: false, when: 'the merged results were not accepted' },
  MERGE_INTERRUPTED: { stage: 'merge', isRetryable: true, when: 'the merge was not finished within its time' },
  SUBMISSION_FAILED: { stage: 'submit', isRetryable: true, when: 'the job could not be handed to its cluster' },
  STOPPED_BY_OPERATOR: { stage: 'run', isRetryable: false, when: 'an operator ended the job; `detail` has the reason' },
  REPORTED: {
    stage: 'run',
    isRetryable: true,
    when: 'an external worker or a cluster said so; `detail` has its words, if any',
  },
} as const satisfies Record<string, FailureCodeFacts>;

export type FailureCode = keyof typeof FAILURE_CODES;

/** A failure in its parts. */
export interface FailureReason {
  readonly code: FailureCode;
  readonly stage: FailureStage;
  /** Sentence for people. */
  readonly detail: string;
  /** Of the simulator, when that is why. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly isRetryable: boolean;
}

/** The text of a failure. */
export function writeFailure(code: FailureCode, detail: string): string {
  return `${code}: ${detail}`;
}

const CODE = /(?:^|[;:] )([A-Z][A-Z_]+): /g;
/** As packages/simulators writes it (describeProcessEnd), behind the sentence and before what the simulator printed. */
const PROCESS_END = /: (?:exit code (?<exitCode>\d+)|signal (?<signal>SIG[A-Z0-9]+))(?=[;. (]|$)/;
const MERGE_FAILED = /^merging the results failed; /;

/**
 * The parts of a failure's text. Of a job that failed with its tasks, they are those of the first of these; words without a
 * code of ours are an external worker's.
 */
export function readFailure(text: string): FailureReason {
  const codes = [...text.matchAll(CODE)].map(([, word]) => word ?? '');
  const code = codes.find((word): word is FailureCode => Object.hasOwn(FAILURE_CODES, word)) ?? 'REPORTED';
  const { stage, isRetryable } = FAILURE_CODES[code];
  const [said = ''] = text.split('; its error output ends: ');
  const { exitCode, signal } = PROCESS_END.exec(said)?.groups ?? {};
  return {
    code,
    stage: MERGE_FAILED.test(text) ? 'merge' : stage,
    detail: text.startsWith(`${code}: `) ? text.slice(code.length + 2) : text,
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    ...(signal === undefined ? {} : { signal }),
    isRetryable,
  };
}
