/**
 * What a cluster's scheduler says of a job, through batch-bridge, and what comes of it: the rules, without a database.
 */
import { decideJobStep, type JobStep, type TaskTally } from '../job-end.js';
import type { TaskTrigger } from '../task-state.js';

/** Undefined: not said. */
export interface BatchReport {
  readonly jobDir: string | undefined;
  readonly arrayId: bigint | undefined;
  readonly collectId: bigint | undefined;
  /** Why it does not go on, for people; null: it does. */
  readonly waitingReason: string | null | undefined;
  readonly tasks: readonly BatchTaskReport[];
  /** Nothing more comes from the cluster. */
  readonly end: BatchEnd | undefined;
}

export interface BatchTaskReport {
  readonly taskId: number;
  readonly state: keyof typeof SCHEDULER_TRIGGERS;
  /** Why it failed; empty: not said. */
  readonly failure: string;
}

export interface BatchEnd {
  /** Why open tasks fail, for people. */
  readonly failure: string;
  /** That was submitted: when the job was given others later, it is not their end; 0: not said. */
  readonly lastTask: number;
}

/** The move that a word of the scheduler is. That a task is COMPLETED only its output tells. */
export const SCHEDULER_TRIGGERS = {
  RUNNING: 'started',
  FAILED: 'failed',
  CANCELED: 'canceled',
} as const satisfies Readonly<Record<string, TaskTrigger>>;

/** A report that says nothing but the end. */
export function endReport(failure: string, lastTask = 0): BatchReport {
  const unsaid = { jobDir: undefined, arrayId: undefined, collectId: undefined, waitingReason: undefined };
  return { ...unsaid, tasks: [], end: { failure, lastTask } };
}

/** A task's report in the company of those that say the same. */
export interface ReportGroup extends Omit<BatchTaskReport, 'taskId'> {
  readonly taskIds: readonly number[];
}

/** Reports by what they say: a thousand tasks that began, or that one node took with it, are one change. */
export function groupReports(reports: readonly BatchTaskReport[]): ReportGroup[] {
  const groups = new Map<string, { state: BatchTaskReport['state']; failure: string; taskIds: number[] }>();
  for (const { taskId, state, failure } of reports) {
    const key = `${state} ${failure}`;
    const group = groups.get(key) ?? { state, failure, taskIds: [] };
    group.taskIds.push(taskId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * {@link decideJobStep} for the end on the cluster. When no task had ended before it, its words are the job's.
 * @param closedCount - tasks that were open until now
 */
export function decideBatchEnd(end: BatchEnd, closedCount: number, tally: TaskTally): JobStep {
  const isWhole = closedCount === tally.completedCount + tally.givenUpCount;
  return isWhole ? { kind: 'fail', failure: end.failure } : decideJobStep(tally, 'lost', true);
}

/** Longest text about a job or task on a cluster that is kept, characters. */
const TEXT_LENGTH_MAX = 2_000;

/** A text from outside, cut to what is kept; PostgreSQL has no character 0. */
export function keptText(text: string): string {
  return text.replaceAll('\0', '').slice(0, TEXT_LENGTH_MAX);
}
