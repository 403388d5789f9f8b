import { isTerminal, JOB_TRANSITIONS, type JobTrigger, REPORTED, type Transition } from '../domain/job-state.js';
import { TASK_TRANSITIONS, type TaskTrigger } from '../domain/task-state.js';
import type { JobFields, TaskFields } from '../domain/worker-update.js';
import { Prisma, type Statements } from './database.js';

/**
 * The only statements that change a state. Each is conditional on the states that the transition table lets the trigger
 * leave, and says whether it did anything.
 */

/** What is said of a job with its new state, for people; unsaid: it stays. */
export interface JobWords {
  readonly failure?: string | null;
  /** Why it does not go on; null: it does. */
  readonly waitingReason?: string | null;
}

/** The end of a job is set once, with its terminal state. A FAILED job always says why. */
export async function moveJob(
  tx: Statements,
  simulationId: bigint,
  trigger: JobTrigger,
  { failure = null, waitingReason }: JobWords = {},
): Promise<boolean> {
  const { from, to }: Transition = JOB_TRANSITIONS[trigger];
  const moved = await tx.$executeRaw`
    UPDATE simulations
    SET state = ${to},
        end_time = CASE WHEN ${isTerminal(to)} THEN coalesce(end_time, now()) ELSE end_time END,
        closed_at = CASE WHEN ${isTerminal(to)} THEN now() ELSE closed_at END,
        failure = coalesce(${failure}::text, failure, ${to === 'FAILED' ? UNSAID_FAILURE : null}::text),
        waiting_reason = CASE WHEN ${isTerminal(to) || waitingReason !== undefined} THEN ${waitingReason ?? null}::text
          ELSE waiting_reason END
    WHERE id = ${simulationId} AND state = ANY(${[...from]})`;
  return moved === 1;
}

const UNSAID_FAILURE = 'some of its tasks did not complete';

export interface TaskMove {
  /** Set with `returned`: the next attempt. */
  readonly attemptId?: string;
  /** Set with `failed`, for people. */
  readonly failure?: string;
}

/** Tasks of one selection, for example `id = 7`. */
export function moveTasks(
  tx: Statements,
  selection: Prisma.Sql,
  trigger: TaskTrigger,
  { attemptId, failure }: TaskMove = {},
): Promise<number> {
  const { from, to }: Transition = TASK_TRANSITIONS[trigger];
  // start and end are set once; an estimate is worth nothing after a change of state; a new attempt starts from zero
  return tx.$executeRaw`
    UPDATE tasks
    SET state = ${to},
        start_time = CASE WHEN ${to === 'RUNNING'} THEN coalesce(start_time, now()) ELSE start_time END,
        end_time = CASE WHEN ${isTerminal(to)} THEN coalesce(end_time, now()) ELSE end_time END,
        simulated_primaries = CASE
          WHEN ${to === 'COMPLETED'} THEN requested_primaries
          WHEN ${to === 'PENDING'} THEN 0
          ELSE simulated_primaries END,
        estimated_seconds = NULL,
        celery_id = coalesce(${attemptId ?? null}::text, celery_id),
        failure = coalesce(${failure ?? null}::text, failure),
        has_output = has_output OR ${trigger === 'completed'},
        last_update_time = now()
    WHERE ${selection} AND state = ANY(${[...from]})`;
}

/** One task, which must be in a state that the trigger may leave: the caller holds its open attempt. */
export async function moveTask(tx: Statements, taskKey: bigint, trigger: TaskTrigger, move?: TaskMove): Promise<void> {
  const moved = await moveTasks(tx, Prisma.sql`id = ${taskKey}`, trigger, move);
  if (moved !== 1) throw new Error(`task row ${taskKey} has an open attempt but cannot be ${trigger}`);
}

/** A job as a worker outside says it is. @param endedBy - hash of the update, kept when it ends the job */
export async function moveJobAsReported(
  tx: Statements,
  simulationId: bigint,
  job: JobFields,
  endedBy: string,
): Promise<void> {
  const isEnd = isTerminal(job.state);
  const failure = job.state === 'FAILED' ? REPORTED_FAILURE : null;
  const moved = await tx.$executeRaw`
    UPDATE simulations
    SET state = ${job.state}, end_time = ${job.endTime}, job_dir = ${job.jobDir}, array_id = ${job.arrayId},
        collect_id = ${job.collectId}, failure = coalesce(failure, ${failure}::text),
        closed_at = CASE WHEN ${isEnd} THEN now() END,
        waiting_reason = CASE WHEN ${isEnd} THEN NULL ELSE waiting_reason END, end_update_hash = ${isEnd ? endedBy : null}::text
    WHERE id = ${simulationId} AND state = ANY(${[...REPORTED.from]})`;
  if (moved !== 1) throw new Error(`simulation ${simulationId} is locked and open but cannot be ${job.state}`);
}

/** A task as a worker outside says it is; the same as for a job. */
export async function moveTaskAsReported(
  tx: Statements,
  taskKey: bigint,
  task: TaskFields,
  endedBy: string,
): Promise<void> {
  const isEnd = isTerminal(task.state);
  const moved = await tx.$executeRaw`
    UPDATE tasks
    SET state = ${task.state}, requested_primaries = ${task.requestedPrimaries},
        simulated_primaries = ${task.simulatedPrimaries}, estimated_seconds = ${task.estimatedSeconds}::int,
        start_time = ${task.startTime}, end_time = ${task.endTime}, failure = ${task.failure},
        is_unexplained = ${task.isUnexplained}, last_update_time = now(), end_update_hash = ${isEnd ? endedBy : null}::text
    WHERE id = ${taskKey} AND state = ANY(${[...REPORTED.from]})`;
  if (moved !== 1) throw new Error(`task row ${taskKey} is locked and open but cannot be ${task.state}`);
}

const REPORTED_FAILURE = 'REPORTED: its worker said so';
