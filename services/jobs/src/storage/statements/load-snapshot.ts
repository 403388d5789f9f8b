import { type Sql, sql } from '@tally/service-kit';
import { OPEN_STATES } from '../../domain/job-state.js';
import type { AnswerKey, JobRef, TaskRef, TasksNeed } from '../../domain/ports.js';
import {
  type AttemptRow,
  type EarlierAnswer,
  type JobRow,
  type MergeRow,
  NO_TASKS,
  type Snapshot,
  type TaskRow,
  type TaskSum,
} from '../../domain/snapshot.js';
import type { Usage } from '../../domain/submit/quotas.js';
import { IS_WATCHED } from './notify/is-watched.js';
import { lockQuotas, usageOf } from './usage.js';

/**
 * Statements that load a snapshot, in this order. Rows are locked before what depends on them is read, each in a statement
 * of its own: one that waits for a lock reads its other tables as they were before the wait (PostgreSQL manual, "Read
 * Committed Isolation Level"). Everybody locks jobs first, then tasks, each in the order of their keys.
 */
export interface SnapshotLoad {
  /** Locks the quota of an owner. */
  readonly owner?: Sql;
  /** Locks jobs. */
  readonly lock?: Sql<{ readonly jobKey: bigint }>;
  readonly tasks?: Sql<Timed<TaskRow>>;
  readonly attempts?: Sql<AttemptRow>;
  readonly jobs?: Sql<Timed<LoadedJob>>;
  readonly usage?: Sql<Usage>;
  readonly earlier?: Sql<EarlierAnswer>;
}

type Timed<Row> = Row & { readonly now: Date };
interface LoadedJob extends Omit<JobRow, 'seed'> {
  readonly seed: string;
  /** Null: not loaded. */
  readonly rest: RestRow | null;
  /** Null: there is none, or it was not loaded. */
  readonly merge: MergeJson | null;
}
type MergeJson = Omit<MergeRow, 'jobKey' | 'dueAt'> & { readonly dueAtMs: number };
/** Tasks of a job that are not loaded. */
interface RestRow {
  readonly tally: SumRow;
  /** Numbers of those that have delivered, ascending; null: none. */
  readonly deliveredIds: readonly number[] | null;
}
/** As JSON, numbers that may be large as text. */
type SumRow = Omit<TaskSum, 'primaries' | 'givenUpPrimaries' | 'deliveredPrimaries' | 'nextHistory'> & {
  readonly primaries: string;
  readonly givenUpPrimaries: string;
  readonly deliveredPrimaries: string;
  readonly nextHistory: string;
};

export type SnapshotRows = { readonly [Name in keyof SnapshotLoad]: Exclude<SnapshotLoad[Name], undefined>['row'][] };

const JOB_COLUMNS = sql`jobs.id AS "jobKey", job_id AS "jobId", owner_id AS "ownerId", platform, simulator, executable,
  input_type AS "inputType", seed::text AS seed, state,
  start_time AS "startTime", end_time AS "endTime", closed_at AS "closedAt", failure,
  merge_id AS "mergeId", merge_number AS "mergeNumber", job_dir AS "jobDir", array_id AS "arrayId", collect_id AS "collectId",
  waiting_reason AS "waitingReason", end_update_hash AS "endedBy", stopped_at AS "stoppedAt",
  merged_primaries AS "simulatedPrimaries", extended_at AS "extendedAt", submitted_task_count AS "submittedTaskCount", convergence,
  task_primaries_max AS "taskPrimariesMax", ${IS_WATCHED} AS "isWatched", now() AS now`;
const TASK_COLUMNS = sql`id AS "taskKey", job_key AS "jobKey", task_id AS "taskId", first_history AS "firstHistory", state,
  requested_primaries AS "requestedPrimaries", simulated_primaries AS "simulatedPrimaries",
  estimated_seconds AS "estimatedSeconds", start_time AS "startTime", end_time AS "endTime",
  last_update_time AS "lastUpdateTime", current_attempt_id AS "currentAttemptId", failure, is_unexplained AS "isUnexplained",
  end_update_hash AS "endedBy", has_output AS "hasOutput", must_finish AS "mustFinish",
  progress_event_at AS "progressEventAt", now() AS now`;
const TRY_COLUMNS = sql`id, number, runner_id AS "runnerId", lease_expires_at AS "leaseExpiresAt", ended_at AS "endedAt", outcome, cpu_ms AS "cpuMs"`;
const OPEN = [...OPEN_STATES];

/**
 * Keys as an array, not by IN: a row that was waited for is checked again, against all of the plan with that row in its place, and a join
 * with several keys can lose it then (PostgreSQL 18, a join with the distinct keys of a subquery). And an array is looked up in an index,
 * while a join may read all of a table that was analyzed when it was almost empty.
 */
const lockTasks = (keys: Sql) => sql<Timed<TaskRow>>`
  SELECT ${TASK_COLUMNS} FROM tasks WHERE id = ANY(ARRAY(${keys})) ORDER BY id FOR NO KEY UPDATE`;
const attemptsOf = (keys: Sql) => sql<AttemptRow>`
  SELECT ${TRY_COLUMNS}, task_key AS "taskKey" FROM attempts WHERE task_key = ANY(ARRAY(${keys})) ORDER BY number`;
/** As a column of a job: a join may read all duties there are. */
const MERGE_COLUMN = sql`(
  SELECT json_build_object('id', id, 'dueAtMs', date_part('epoch', next_try_at) * 1000,
    'isExternal', payload->'isExternal', 'failedCount', payload->'failedCount')
  FROM duties WHERE duties.job_id = jobs.job_id AND kind = 'merge') AS merge`;
const toRest = (sum: TaskSum) =>
  JSON.stringify({
    tally: {
      ...sum,
      primaries: `${sum.primaries}`,
      givenUpPrimaries: `${sum.givenUpPrimaries}`,
      deliveredPrimaries: `${sum.deliveredPrimaries}`,
      nextHistory: `${sum.nextHistory}`,
    },
    deliveredIds: null,
  });
/** @param rest - of their tasks that are not loaded; null: it is not known, nor whether they are to be merged */
const jobsOf = (keys: Sql, rest: TaskSum | null) => sql<Timed<LoadedJob>>`
  SELECT ${JOB_COLUMNS}, ${rest && toRest(rest)}::json AS rest, ${rest === null ? sql`NULL::json AS merge` : MERGE_COLUMN}
  FROM jobs WHERE id = ANY(ARRAY(${keys}))`;

/** Of tasks that have ended: as addTask of snapshot.ts. */
const IS_GIVEN_UP = sql`state <> 'COMPLETED' AND NOT must_finish`;
const WANTED_PRIMARIES = sql`CASE WHEN must_finish AND state = 'COMPLETED' THEN simulated_primaries
  WHEN must_finish THEN 0 ELSE requested_primaries END`;

/** Jobs with their merge and a tally of the tasks that are not named; of a job of which one of those is open, only that is counted. */
const jobsWithRest = (keys: Sql, named: Sql) => sql<Timed<LoadedJob>>`
  SELECT ${JOB_COLUMNS}, coalesce((
      SELECT json_build_object('deliveredIds', json_agg(task_id ORDER BY task_id)
          FILTER (WHERE state = 'COMPLETED' AND (has_output OR jobs.platform = 'direct')),
        'tally', json_build_object('openCount', 0,
        'completedCount', count(*) FILTER (WHERE state = 'COMPLETED'),
        'undeliveredCount', count(*) FILTER (WHERE state = 'COMPLETED' AND NOT has_output),
        'firstUndelivered', min(task_id) FILTER (WHERE state = 'COMPLETED' AND NOT has_output),
        'givenUpCount', count(*) FILTER (WHERE ${IS_GIVEN_UP}),
        'stoppedCount', count(*) FILTER (WHERE state <> 'COMPLETED' AND must_finish),
        'unexplainedCount', count(*) FILTER (WHERE ${IS_GIVEN_UP} AND is_unexplained),
        'primaries', coalesce(sum(${WANTED_PRIMARIES}), 0)::text,
        'givenUpPrimaries', coalesce(sum(requested_primaries) FILTER (WHERE ${IS_GIVEN_UP}), 0)::text,
        'deliveredPrimaries',
          coalesce(sum(simulated_primaries) FILTER (WHERE state = 'COMPLETED' AND has_output), 0)::text,
        'lastTaskId', coalesce(max(task_id), 0), 'nextHistory', coalesce(max(first_history + requested_primaries), 0)::text,
        'mustFinishCount', count(*) FILTER (WHERE must_finish),
        'firstGivenUp', min(task_id) FILTER (WHERE ${IS_GIVEN_UP}),
        'exampleFailure', (array_agg('task ' || task_id || ': ' || coalesce(failure, 'canceled') ORDER BY task_id)
          FILTER (WHERE ${IS_GIVEN_UP}))[1]))
      FROM tasks WHERE job_key = jobs.id AND NOT rest.is_open AND id NOT IN (${named})
      HAVING NOT rest.is_open
    ), ${toRest({ ...NO_TASKS, openCount: 1 })}::json) AS rest, ${MERGE_COLUMN}
  FROM jobs CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT 1 FROM tasks
      WHERE job_key = jobs.id AND state = ANY(${OPEN}) AND id NOT IN (${named})) AS is_open
    OFFSET 0) rest
  WHERE jobs.id = ANY(ARRAY(${keys}))`;

const attemptIdsOf = (refs: readonly TaskRef[]) => refs.flatMap((ref) => ('attemptId' in ref ? ref.attemptId : []));
const jobIdsOf = (refs: readonly TaskRef[]) => refs.flatMap((ref) => ('attemptId' in ref ? [] : ref.jobId));
const jobKeysOf = (refs: readonly TaskRef[]) => sql`
  SELECT job_key FROM tasks WHERE id = ANY(ARRAY(SELECT task_key FROM attempts WHERE id = ANY(${attemptIdsOf(refs)})))
  UNION ALL SELECT id FROM jobs WHERE job_id = ANY(${jobIdsOf(refs)})`;

/** Named tasks with their attempts, and what of their jobs is needed. */
export function loadNamedTasks(refs: readonly TaskRef[]): SnapshotLoad {
  const byNumber = refs.flatMap((ref) => ('attemptId' in ref ? [] : ref));
  // row by row: the planner would read all tasks of the job where it knows the tables as almost empty
  const keys = sql`
    SELECT task_key FROM attempts WHERE id = ANY(${attemptIdsOf(refs)})
    UNION ALL
    SELECT task.id FROM unnest(${byNumber.map(({ jobId }) => jobId)}::text[], ${byNumber.map(({ taskId }) => taskId)}::int[])
      AS named (job_id, task_id)
    CROSS JOIN LATERAL (
      SELECT id FROM tasks
      WHERE job_key = (SELECT id FROM jobs WHERE job_id = named.job_id) AND task_id = named.task_id OFFSET 0) task`;
  const locking = refs.filter(({ need }) => need === 'start' || need === 'end');
  const ending = refs.filter(({ need }) => need === 'end');
  const endsTasks = ending.length > 0;
  const jobs = jobKeysOf(refs);
  return {
    ...(locking.length > 0 && {
      lock: sql`
        SELECT id AS "jobKey" FROM jobs
        WHERE id = ANY(ARRAY(${jobKeysOf(locking)}))
          AND (id = ANY(ARRAY(${jobKeysOf(ending)})) OR state IN ('UNKNOWN', 'PENDING'))
        ORDER BY id FOR NO KEY UPDATE`,
    }),
    tasks: lockTasks(keys),
    attempts: attemptsOf(keys),
    ...(refs.some(({ need }) => need !== 'task') && {
      jobs: endsTasks ? jobsWithRest(jobs, keys) : jobsOf(jobs, null),
    }),
  };
}

/**
 * Jobs, locked, with their merge and what is asked for of their tasks.
 * @param keys - query of their keys
 */
export function loadJobs(keys: Sql, tasks: TasksNeed): SnapshotLoad {
  const lock = sql<{ readonly jobKey: bigint }>`
    SELECT id AS "jobKey" FROM jobs WHERE id = ANY(ARRAY(${keys})) ORDER BY id FOR NO KEY UPDATE`;
  const tally = { lock, jobs: jobsWithRest(keys, sql`SELECT NULL::bigint WHERE false`) };
  if (tasks === 'tally') return tally;
  const owners = sql`SELECT owner_id FROM jobs WHERE id = ANY(ARRAY(${keys}))`;
  const groups = sql`SELECT group_id FROM jobs WHERE id = ANY(ARRAY(${keys}))`;
  if (tasks === 'usage') return { owner: lockQuotas(owners), ...tally, usage: usageOf(owners, undefined, groups) };
  const taskKeys = sql`SELECT id FROM tasks WHERE job_key = ANY(ARRAY(${keys}))`;
  // task by task, and the open ones from all of its attempts: the planner would rather read all open attempts there are
  const attempts = sql<AttemptRow>`
    SELECT ${TRY_COLUMNS}, task_key AS "taskKey" FROM (${taskKeys} OFFSET 0) of_job (key)
    CROSS JOIN LATERAL (SELECT * FROM attempts WHERE task_key = of_job.key OFFSET 0) of_task
    WHERE ended_at IS NULL`;
  return { lock, tasks: lockTasks(taskKeys), attempts, jobs: jobsOf(keys, NO_TASKS) };
}

/** Query of the key of a job. */
export function jobKeyOf(ref: JobRef): Sql {
  const platform = ref.platform ?? null;
  return sql`SELECT id FROM jobs WHERE job_id = ${ref.jobId}
    AND (${ref.ownerId ?? null}::bigint IS NULL OR owner_id = ${ref.ownerId ?? null}::bigint)
    AND (${platform}::text IS NULL OR platform = ${platform}::text)`;
}

/** What was answered to a key that is not over. */
export const loadAnswer = ({ ownerId, key }: AnswerKey) => sql<EarlierAnswer>`
  SELECT request_hash AS "requestHash", answer FROM idempotency_keys
  WHERE owner_id = ${ownerId} AND key = ${key} AND expires_at > now()`;

/** The snapshot of what was loaded. */
export function toSnapshot(rows: SnapshotRows): Snapshot {
  const { lock = [], tasks = [], attempts = [], jobs = [], usage: [usage] = [], earlier: [earlierAnswer] = [] } = rows;
  return {
    now: (tasks[0] ?? jobs[0])?.now ?? new Date(0), // of nothing: nobody asks
    lockedJobs: new Set(lock.map(({ jobKey }) => jobKey)),
    jobs: jobs.map((job) => ({ ...job, seed: BigInt(job.seed) })),
    merges: jobs.flatMap(({ jobKey, merge }) => (merge === null ? [] : toMerge(jobKey, merge))),
    tasks,
    attempts,
    deliveredRest: new Map(jobs.map(({ jobKey, rest }) => [jobKey, rest?.deliveredIds ?? []])),
    restOfTasks: new Map(jobs.flatMap(({ jobKey, rest }) => (rest === null ? [] : [[jobKey, toSum(rest.tally)]]))),
    ...(usage && { usage }),
    ...(earlierAnswer && { earlierAnswer }),
  };
}

const toMerge = (jobKey: bigint, { dueAtMs, ...merge }: MergeJson): MergeRow => ({
  ...merge,
  jobKey,
  dueAt: new Date(dueAtMs),
});

function toSum({ primaries, givenUpPrimaries, deliveredPrimaries, nextHistory, ...counts }: SumRow): TaskSum {
  return {
    ...counts,
    primaries: BigInt(primaries),
    givenUpPrimaries: BigInt(givenUpPrimaries),
    deliveredPrimaries: BigInt(deliveredPrimaries),
    nextHistory: BigInt(nextHistory),
  };
}
