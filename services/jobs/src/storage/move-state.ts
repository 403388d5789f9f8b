import { isTerminal, JOB_TRANSITIONS, type JobTrigger, type Transition } from '../domain/job-state.js';
import { TASK_TRANSITIONS, type TaskTrigger } from '../domain/task-state.js';
import { Prisma, type Statements } from './database.js';

/**
 * The only statements that change a state. Each is conditional on the states that the transition table lets the trigger
 * leave, and says whether it did anything.
 */

/** The end of a job is set once, with its terminal state. */
export async function moveJob(
  tx: Statements,
  simulationId: bigint,
  trigger: JobTrigger,
  failure: string | null = null,
): Promise<boolean> {
  const { from, to }: Transition = JOB_TRANSITIONS[trigger];
  const moved = await tx.$executeRaw`
    UPDATE simulations
    SET state = ${to},
        end_time = CASE WHEN ${isTerminal(to)} THEN coalesce(end_time, now()) ELSE end_time END,
        failure = coalesce(${failure}::text, failure)
    WHERE id = ${simulationId} AND state = ANY(${[...from]})`;
  return moved === 1;
}

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
        last_update_time = now()
    WHERE ${selection} AND state = ANY(${[...from]})`;
}

/** One task, which must be in a state that the trigger may leave: the caller holds its open attempt. */
export async function moveTask(tx: Statements, taskKey: bigint, trigger: TaskTrigger, move?: TaskMove): Promise<void> {
  const moved = await moveTasks(tx, Prisma.sql`id = ${taskKey}`, trigger, move);
  if (moved !== 1) throw new Error(`task row ${taskKey} has an open attempt but cannot be ${trigger}`);
}
