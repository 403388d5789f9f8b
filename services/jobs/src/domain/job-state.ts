/**
 * States of a job and how it moves between them: the rule stands here, once, as data. Every write that changes a job's
 * state names a trigger and is a conditional update (`where state = any(sourcesOf(trigger))`), so that a state which
 * another transaction has left is never overwritten. A terminal state is left by `extended`, which its owner asks for, and by `retried` and
 * `mergeRepeated`, which an operator asks for.
 */
export const STATES = [
  'UNKNOWN',
  'PENDING',
  'RUNNING',
  'MERGING_QUEUED',
  'MERGING_RUNNING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const;
export type State = (typeof STATES)[number];

export const TERMINAL_STATES = ['COMPLETED', 'FAILED', 'CANCELED'] as const satisfies readonly State[];
export const OPEN_STATES = [
  'UNKNOWN',
  'PENDING',
  'RUNNING',
  'MERGING_QUEUED',
  'MERGING_RUNNING',
] as const satisfies readonly State[];

export function isTerminal(state: State): boolean {
  return TERMINAL_STATES.some((terminal) => terminal === state);
}

/** A row of a transition table. */
export interface Transition {
  readonly from: readonly State[];
  readonly to: State;
  /** When it happens, and why it may. */
  readonly because: string;
}

export const JOB_TRANSITIONS = {
  submitted: {
    from: ['UNKNOWN'],
    to: 'PENDING',
    because: 'its tasks and their messages are stored in the same transaction: it will run',
  },
  started: {
    from: ['UNKNOWN', 'PENDING'],
    to: 'RUNNING',
    because: 'a worker began its first task; it stays RUNNING while tasks are tried again',
  },
  tasksEnded: {
    from: OPEN_STATES,
    to: 'MERGING_QUEUED',
    because: 'every task is terminal, at least one delivered, and nobody merges yet, whatever a worker said of it',
  },
  nothingDelivered: {
    from: OPEN_STATES,
    to: 'FAILED',
    because: 'every task is terminal and none delivered: there is nothing to merge, whatever a worker said of it',
  },
  stoppedEmpty: {
    from: OPEN_STATES,
    to: 'CANCELED',
    because: 'its owner stopped it before any task had something to hand over: there is nothing to keep',
  },
  mergeStarted: {
    from: OPEN_STATES,
    to: 'MERGING_RUNNING',
    because: 'results was asked to merge, whatever an external worker that is not heard of any more has said',
  },
  mergeAbandoned: {
    from: ['MERGING_QUEUED', 'MERGING_RUNNING'],
    to: 'RUNNING',
    because: 'an external worker said that it merges while tasks were open, and was not heard of any more: they go on',
  },
  merged: {
    from: ['MERGING_RUNNING'],
    to: 'COMPLETED',
    because: 'the final results of all tasks, or of what a stopped job has simulated, are stored and readable',
  },
  mergedInPart: {
    from: ['MERGING_RUNNING'],
    to: 'FAILED',
    because: 'results are stored, but some tasks failed: the interface calls such a job FAILED, its results partial',
  },
  mergeFailed: {
    from: ['MERGING_RUNNING'],
    to: 'FAILED',
    because: 'the last attempt at merging failed; what the tasks delivered stays readable',
  },
  delivered: {
    from: OPEN_STATES,
    to: 'COMPLETED',
    because: 'an external worker stored the final results of all tasks',
  },
  deliveredInPart: {
    from: OPEN_STATES,
    to: 'FAILED',
    because: 'an external worker stored the final results, but some tasks failed: they are partial',
  },
  extended: {
    from: ['COMPLETED', 'MERGING_RUNNING'],
    to: 'PENDING',
    because:
      'its owner asked for further primaries, or its results are not as good as he asked for: tasks on histories that no task has had are stored with it',
  },
  retried: {
    from: ['FAILED'],
    to: 'PENDING',
    because: 'an operator has its tasks that delivered nothing run again: their attempts are stored with it',
  },
  mergeRepeated: {
    from: ['COMPLETED', 'FAILED'],
    to: 'MERGING_QUEUED',
    because: 'an operator has what its tasks delivered merged once more',
  },
  failedByOperator: {
    from: OPEN_STATES,
    to: 'FAILED',
    because: 'an operator ended it, with a reason that its owner reads',
  },
  canceled: {
    from: OPEN_STATES,
    to: 'CANCELED',
    because: 'its owner cancelled it; possible in every state that is not terminal',
  },
} as const satisfies Readonly<Record<string, Transition>>;
export type JobTrigger = keyof typeof JOB_TRANSITIONS;

/**
 * What an external worker says of a job or a task (POST /jobs, POST /tasks): from every open state to whichever it names.
 * A terminal state is left for none by such a word, so CANCELED never follows FAILED or COMPLETED.
 */
export const REPORTED = {
  from: OPEN_STATES,
  to: STATES,
  because: 'the interface lets a worker say the state; which moves between open states make sense is for it to know',
} as const;
