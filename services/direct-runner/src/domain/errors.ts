import { defineReasons, type ReasonTable, ServiceError } from '@tally/service-kit';
import { RUN_FAULTS } from '@tally/simulators/run';

/**
 * Why a task or a merge failed, as it is reported to jobs and shown to users. The status says what a repeat would bring:
 * ABORTED, another attempt may do better; FAILED_PRECONDITION, it would fail the same way.
 */
export const fail = defineReasons('direct-runner', {
  DECK_UNAVAILABLE: {
    status: 'ABORTED',
    message: 'the input of the job could not be read',
    when: 'results did not give the deck of a claimed task, or gave none',
  },
  DECK_INVALID: {
    status: 'FAILED_PRECONDITION',
    message: 'the input of the job cannot be run',
    when: 'a deck has a file name that is not one plain path component, or cannot be divided into tasks',
  },
  SIMULATOR_UNSUPPORTED: {
    status: 'ABORTED',
    message: 'the runner has no executable of the simulator',
    when: 'the deck was made for an executable that this runner does not have, or not any more; another runner may',
  },
  FILES_UNCONFINED: {
    status: 'ABORTED',
    message: "the runner does not confine simulators, and gives them no user's own files",
    when: 'a task of input files came to a runner without bubblewrap or containers (RUNNER_CONFINEMENT); another may have it',
  },
  SIMULATOR_UNSTARTABLE: {
    status: 'ABORTED',
    message: RUN_FAULTS.SIMULATOR_UNSTARTABLE,
    when: 'the operating system refused to start the executable of the simulator',
  },
  SIMULATOR_FAILED: {
    status: 'ABORTED',
    message: RUN_FAULTS.SIMULATOR_FAILED,
    when: 'the simulator ended with an exit code other than 0; the message has it and the end of its error output',
  },
  SIMULATOR_REFUSED: {
    status: 'FAILED_PRECONDITION',
    message: RUN_FAULTS.SIMULATOR_REFUSED,
    when: 'the simulator ended with the exit code that means so; another attempt would end the same way',
  },
  SIMULATOR_CRASHED: {
    status: 'ABORTED',
    message: RUN_FAULTS.SIMULATOR_CRASHED,
    when: 'a signal that the runner did not send ended the simulator',
  },
  OUTPUT_MISSING: {
    status: 'ABORTED',
    message: RUN_FAULTS.OUTPUT_MISSING,
    when: 'exit code 0, and the output file is not there',
  },
  OUTPUT_UNREADABLE: {
    status: 'ABORTED',
    message: RUN_FAULTS.OUTPUT_UNREADABLE,
    when: 'exit code 0, but the output is cut short, not of the expected kind or over the size limit',
  },
  OUTPUT_UNSUPPORTED: {
    status: 'FAILED_PRECONDITION',
    message: RUN_FAULTS.OUTPUT_UNSUPPORTED,
    when: 'exit code 0 and a sound output, but nothing in it that is read, events one by one for example',
  },
  OUTPUT_INCOMPLETE: {
    status: 'FAILED_PRECONDITION',
    message: RUN_FAULTS.OUTPUT_INCOMPLETE,
    when: 'exit code 0, but the output stands for another number of primaries than the task asked for',
  },
  OUTPUT_REFUSED: {
    status: 'FAILED_PRECONDITION',
    message: 'the output of the task was not accepted',
    when: 'results refused the output of a task for good, for example because it is too large',
  },
  OUTPUT_UNDELIVERED: {
    status: 'ABORTED',
    message: 'the output of the task could not be delivered in time',
    when: 'results did not take the output within the time limit of a delivery',
  },
  TASK_STALLED: {
    status: 'ABORTED',
    message: 'the simulator made no progress for too long',
    when: 'the simulator was stopped because it told no progress for RUNNER_TASK_STALL_LIMIT_MS',
  },
  TIME_LIMIT_EXCEEDED: {
    status: 'FAILED_PRECONDITION',
    message: 'the task took longer than it may',
    when: 'the simulator was stopped at the wall time limit of a task',
  },
  MEMORY_LIMIT_EXCEEDED: {
    status: 'FAILED_PRECONDITION',
    message: 'the task used more memory than it may',
    when: 'the simulator was stopped because its processes held more memory than a task may',
  },
  PROCESS_LIMIT_EXCEEDED: {
    status: 'FAILED_PRECONDITION',
    message: 'the task started more processes than it may',
    when: 'the simulator was stopped because it had more processes and threads than a task may',
  },
  OUTPUT_LIMIT_EXCEEDED: {
    status: 'FAILED_PRECONDITION',
    message: 'the task wrote more data than it may',
    when: 'the simulator was stopped because its folder grew over the size limit of a task',
  },
  RUNNER_LOST: {
    status: 'ABORTED',
    message: 'the runner of the task ended unexpectedly',
    when: 'a runner finds at its start a task that an earlier run of it had not finished',
  },
  RUNNER_FAULT: {
    status: 'ABORTED',
    message: 'a fault in the runner ended the task',
    when: 'a disk is full or another unexpected error in the runner; its log has the details',
  },
} satisfies ReasonTable);

export type FailureReason = keyof typeof fail.reasons;

/** A failure as it is reported to jobs. */
export interface Failure {
  readonly reason: FailureReason;
  /** Sentence for people. */
  readonly message: string;
  /** False: another attempt would fail the same way. */
  readonly isRetryable: boolean;
  /** Of the simulator, when it ended by itself. */
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

/** The failure that a reason stands for; `detail` is put behind its sentence. */
export function newFailure(reason: FailureReason, detail = ''): Failure {
  const { message, status } = fail.reasons[reason];
  return {
    reason,
    message: detail === '' ? message : `${message}: ${detail}`,
    isRetryable: status === 'ABORTED',
  };
}

/** A failure in log lines. */
export function failureFacts({ reason, message, isRetryable, exitCode, signal }: Failure) {
  return { reason, detail: message, exit_code: exitCode, signal, retryable: isRetryable };
}

/** An error that carries {@link newFailure}. */
export function failureError(reason: FailureReason, detail = '', cause?: unknown): ServiceError {
  return fail(reason, { message: newFailure(reason, detail).message, cause });
}

/** What a thrown error says to jobs: its reason if it is one of ours, a fault of the runner otherwise. */
export function toFailure(err: unknown): Failure {
  if (!(err instanceof ServiceError) || err.domain !== fail.domain) return newFailure('RUNNER_FAULT');
  const reason = Object.keys(fail.reasons).find((known): known is FailureReason => known === err.reason);
  if (reason === undefined) return newFailure('RUNNER_FAULT');
  return { reason, message: err.message, isRetryable: err.status === 'ABORTED' };
}
