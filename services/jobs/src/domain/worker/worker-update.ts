/**
 * What external workers say over HTTP, and what comes of it: the rules of the interface ("States and transitions", "Task
 * update rules"), without a database. Read job-state.ts first.
 */
import { createHash } from 'node:crypto';
import { isTerminal, type State } from '../job-state.js';

/** POST /jobs. Undefined: not said. */
export interface JobUpdate {
  readonly state: State | undefined;
  readonly endTime: Date | undefined;
  readonly jobDir: string | undefined;
  readonly arrayId: bigint | undefined;
  readonly collectId: bigint | undefined;
}

/** POST /tasks. Undefined: not said. */
export interface TaskUpdate {
  readonly state: State | undefined;
  readonly requestedPrimaries: bigint | undefined;
  readonly simulatedPrimaries: bigint | undefined;
  /** Remaining. */
  readonly estimatedSeconds: number | undefined;
  readonly startTime: Date | undefined;
  readonly endTime: Date | undefined;
  /** Why it failed, for people: counts with the state FAILED. */
  readonly failure?: string;
}

/** What of a job an update may change. */
export interface JobFields {
  readonly state: State;
  readonly endTime: Date | null;
  /** Batch platform only, like the next two. */
  readonly jobDir: string | null;
  readonly arrayId: bigint | null;
  readonly collectId: bigint | null;
}

/** What of a task an update may change. */
export interface TaskFields {
  readonly state: State;
  readonly requestedPrimaries: bigint;
  readonly simulatedPrimaries: bigint;
  readonly estimatedSeconds: number | null;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly failure: string | null;
  /** It is FAILED and its worker did not say why: that may be wrong (job-end.ts). */
  readonly isUnexplained: boolean;
}

/** `isRepeat`: this very update ended it; whoever repeats it hears again that it was applied. */
export type Decision<Fields> =
  | { readonly kind: 'ignored'; readonly isRepeat: boolean }
  | { readonly kind: 'applied'; readonly fields: Fields };

/** By what an update is known again, hex: SHA-256 over all that it says. */
export function hashUpdate(update: JobUpdate | TaskUpdate): string {
  const text = JSON.stringify(
    Object.entries(update).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
  return createHash('sha256').update(text).digest('hex');
}

/**
 * What an update makes of a job; of one that says the state which the job has already, nothing is stored. One that says none leaves
 * the state and stores the rest, as helpers send the numbers of their scheduler jobs. While runners
 * merge a batch job, they say its state: its tasks have ended, and what a helper on the cluster says late is not news.
 * @param job - `hasMerge`: there is a merge for runners, or with one
 * @param endedBy - hash of the update that ended it, if one did
 */
export function decideJobUpdate(
  job: JobFields & { readonly platform: 'direct' | 'batch'; readonly hasMerge: boolean },
  endedBy: string | null,
  update: JobUpdate,
  now: Date,
): Decision<JobFields> {
  if (isTerminal(job.state)) return { kind: 'ignored', isRepeat: endedBy === hashUpdate(update) };
  const { platform, hasMerge, ...fields } = job;
  if (update.state === job.state) return { kind: 'applied', fields };
  const isBatch = platform === 'batch';
  const { state = job.state } = update;
  const said = update.endTime ?? (isTerminal(state) ? now : null);
  return {
    kind: 'applied',
    fields: {
      state: isBatch && hasMerge && !isTerminal(state) ? job.state : state,
      endTime: job.endTime ?? said,
      jobDir: (isBatch ? update.jobDir : undefined) ?? job.jobDir,
      arrayId: (isBatch ? update.arrayId : undefined) ?? job.arrayId,
      collectId: (isBatch ? update.collectId : undefined) ?? job.collectId,
    },
  };
}

const UNSAID_FAILURE = 'REPORTED: its worker said so';

/**
 * What an update makes of a task; the numbers are those of the interface's rules.
 * @param task - `mustFinish`: its job was stopped, and what it has simulated is all that is wanted
 * @param attempt - `replaced`: the update is of an attempt that another one has followed
 */
export function decideTaskUpdate(
  task: TaskFields & { readonly mustFinish?: boolean },
  attempt: 'current' | 'new' | 'replaced',
  endedBy: string | null,
  update: TaskUpdate,
  now: Date,
): Decision<TaskFields> {
  if (isTerminal(task.state)) return { kind: 'ignored', isRepeat: endedBy === hashUpdate(update) };
  if (attempt === 'replaced') return { kind: 'ignored', isRepeat: false };
  const state = update.state ?? task.state;
  const requestedPrimaries = update.requestedPrimaries || task.requestedPrimaries; // 1: 0 says nothing
  const simulatedPrimaries = update.simulatedPrimaries || task.simulatedPrimaries;
  const isEarly = task.mustFinish === true && (update.simulatedPrimaries ?? requestedPrimaries) < requestedPrimaries;
  const endTime = task.endTime ?? update.endTime ?? (isTerminal(state) ? now : null); // 4
  return {
    kind: 'applied',
    fields: {
      state,
      requestedPrimaries,
      simulatedPrimaries: state === 'COMPLETED' && !isEarly ? requestedPrimaries : simulatedPrimaries,
      estimatedSeconds: endTime === null ? (update.estimatedSeconds ?? task.estimatedSeconds) : null, // 2 and 4
      startTime: task.startTime ?? update.startTime ?? null, // 3
      endTime,
      failure: state === 'FAILED' ? (task.failure ?? update.failure ?? UNSAID_FAILURE) : task.failure,
      isUnexplained: state === 'FAILED' && task.failure === null && update.failure === undefined,
    },
  };
}
