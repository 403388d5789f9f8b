import { OPEN_STATES, type Transition } from './job-state.js';

/**
 * How a task moves between states; read job-state.ts first. UNKNOWN and the MERGING states are words that tasks share
 * with jobs, but only an external worker may put a task into them (REPORTED).
 */
export const TASK_TRANSITIONS = {
  claimed: {
    from: ['PENDING'],
    to: 'RUNNING',
    because: 'a worker holds the lease of its current attempt',
  },
  started: {
    from: ['UNKNOWN', 'PENDING'],
    to: 'RUNNING',
    because: 'the scheduler of its cluster runs it; a task that is told of twice stays where it is',
  },
  returned: {
    from: OPEN_STATES,
    to: 'PENDING',
    because: 'the attempt failed, was lost or handed back, and the next one waits for a worker',
  },
  completed: {
    from: OPEN_STATES,
    to: 'COMPLETED',
    because:
      'the current attempt simulated all primaries, or those until its job was stopped, and its output is stored, whatever a worker said of it',
  },
  failed: {
    from: OPEN_STATES,
    to: 'FAILED',
    because: 'the attempt failed and no other one may follow, or its cluster says that it failed',
  },
  jobCompleted: {
    from: OPEN_STATES,
    to: 'COMPLETED',
    because: 'an external worker says that the whole job is COMPLETED: all its tasks finished successfully',
  },
  retried: {
    from: ['COMPLETED', 'FAILED', 'CANCELED'],
    to: 'PENDING',
    because: 'an operator has it run again, because it has delivered nothing; the next attempt waits for a worker',
  },
  canceled: {
    from: OPEN_STATES,
    to: 'CANCELED',
    because:
      'its job was cancelled, failed, or was stopped before it had something to hand over; on a cluster, the task was',
  },
} as const satisfies Readonly<Record<string, Transition>>;
export type TaskTrigger = keyof typeof TASK_TRANSITIONS;
