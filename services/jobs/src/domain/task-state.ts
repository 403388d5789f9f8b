import { OPEN_STATES, type Transition } from './job-state.js';

/**
 * How a task moves between states; read job-state.ts first. UNKNOWN and the MERGING states are words that tasks share
 * with jobs, but only a worker's own update may put a task into them.
 */
export const TASK_TRANSITIONS = {
  claimed: {
    from: ['PENDING'],
    to: 'RUNNING',
    because: 'a worker holds the lease of its current attempt',
  },
  returned: {
    from: ['PENDING', 'RUNNING'],
    to: 'PENDING',
    because: 'the attempt failed, was lost or handed back, and the next one waits for a worker',
  },
  completed: {
    from: ['RUNNING'],
    to: 'COMPLETED',
    because: 'the current attempt simulated all primaries and its output is stored',
  },
  failed: {
    from: ['PENDING', 'RUNNING'],
    to: 'FAILED',
    because: 'the attempt failed and no other one may follow',
  },
  canceled: {
    from: OPEN_STATES,
    to: 'CANCELED',
    because: 'its job was cancelled; never after COMPLETED or FAILED',
  },
} as const satisfies Readonly<Record<string, Transition>>;
export type TaskTrigger = keyof typeof TASK_TRANSITIONS;
