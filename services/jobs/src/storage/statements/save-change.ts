import { newId, type Sql, sql } from '@tally/service-kit';
import type { AddedTasks, Change, NewAnswer, NewDuty, NewMessage } from '../../domain/change.js';
import type { AttemptRow, JobRow, MergeRow, TaskRow } from '../../domain/snapshot.js';
import { newTasks } from './new-tasks.js';
import { parkMessages } from './parking.js';
import { inserterOf, updaterOf } from './rows.js';
import { writeChangeEvents, writeDeletionEvents } from './write-events.js';

/** One array a column, for unnest. */
function columnsOf<Row, Names extends (keyof Row)[]>(rows: readonly Row[], ...names: Names) {
  return names.map((name) => rows.map((row) => row[name])) as { [K in keyof Names]: Row[Names[K]][] };
}

/**
 * The statements that store a change: one for each table, however many rows; none for what does not change. Attempts are ended
 * before others are opened (one is open at a time), and opened before messages name them.
 */
export function saveChange(change: Change): Sql[] {
  const { jobs, tasks, attempts, openedAttempts, merges, endedMerges } = change;
  const statements: Sql[] = [];
  const add = (rows: readonly unknown[], ...made: (() => Sql)[]) => {
    if (rows.length > 0) statements.push(...made.map((make) => make()));
  };
  add(tasks, () => updateTasks(tasks));
  add(attempts, () => updateAttempts(attempts));
  add(openedAttempts, () => insertAttempts(openedAttempts));
  add(jobs, () => updateJobs(jobs));
  statements.push(...change.addedTasks.map(insertTasks));
  add(change.droppedMessages, () => deleteMessages(change.droppedMessages));
  add(change.addedMessages, () => insertMessages(change.addedMessages));
  add(change.parkedMessages, () => parkMessages(change.parkedMessages));
  const owed = [...merges.map(dutyToMerge), ...change.duties.map(toDuty)];
  add(endedMerges, () => sql`DELETE FROM duties WHERE id = ANY(${[...endedMerges]})`);
  add(
    change.endedSubmits,
    () => sql`DELETE FROM duties WHERE job_id = ANY(${[...change.endedSubmits]}) AND kind = 'submit'`,
  );
  add(owed, () => putDuties(owed));
  statements.push(...change.answers.map(insertAnswer));
  add(
    change.deletedJobs,
    () => lockTasksOf(change.deletedJobs),
    () => deleteJobs(change.deletedJobs),
  );
  return [...statements, ...writeDeletionEvents(change.deletedJobs), ...writeChangeEvents(change.events)];
}

const updateTasks = updaterOf<TaskRow>('tasks', {
  taskKey: 'id bigint',
  state: 'state text',
  requestedPrimaries: 'requested_primaries bigint',
  simulatedPrimaries: 'simulated_primaries bigint',
  estimatedSeconds: 'estimated_seconds int',
  startTime: 'start_time timestamptz',
  endTime: 'end_time timestamptz',
  lastUpdateTime: 'last_update_time timestamptz',
  currentAttemptId: 'current_attempt_id text',
  failure: 'failure text',
  isUnexplained: 'is_unexplained bool',
  endedBy: 'end_update_hash text',
  hasOutput: 'has_output bool',
  progressEventAt: 'progress_event_at timestamptz',
  mustFinish: 'must_finish bool',
});

const CLAIM_COLUMNS = {
  runnerId: 'runner_id text',
  leaseExpiresAt: 'lease_expires_at timestamptz',
  endedAt: 'ended_at timestamptz',
  outcome: 'outcome text',
  cpuMs: 'cpu_ms float8',
} as const;
const updateAttempts = updaterOf<AttemptRow>('attempts', { id: 'id text', ...CLAIM_COLUMNS });
const insertAttempts = inserterOf<AttemptRow>('attempts', {
  id: 'id text',
  taskKey: 'task_key bigint',
  number: 'number int',
  ...CLAIM_COLUMNS,
});

const updateJobs = updaterOf<JobRow>('jobs', {
  jobKey: 'id bigint',
  state: 'state text',
  endTime: 'end_time timestamptz',
  closedAt: 'closed_at timestamptz',
  failure: 'failure text',
  mergeId: 'merge_id text',
  mergeNumber: 'merge_number int',
  jobDir: 'job_dir text',
  arrayId: 'array_id bigint',
  collectId: 'collect_id bigint',
  waitingReason: 'waiting_reason text',
  endedBy: 'end_update_hash text',
  stoppedAt: 'stopped_at timestamptz',
  simulatedPrimaries: 'merged_primaries bigint',
  extendedAt: 'extended_at timestamptz',
  submittedTaskCount: 'submitted_task_count int',
  executable: 'executable text',
  convergence: 'convergence json',
});

const noted = (extension: AddedTasks['extension']) =>
  extension === undefined
    ? sql``
    : sql`, extensions = coalesce(extensions, '[]') || ${JSON.stringify([extension])}::jsonb`;

const insertTasks = ({ job, tasks, extension }: AddedTasks) => sql`
  WITH job AS (
    UPDATE jobs SET task_count = task_count + ${tasks.length}::int${noted(extension)} WHERE id = ${job.jobKey} RETURNING id
  ), ${newTasks({ ...job, tasks })}
  SELECT 1 FROM job`;

const deleteMessages = (ids: Change['droppedMessages']) => sql`DELETE FROM outbox WHERE attempt_id = ANY(${ids})`;

const insertMessages = inserterOf<NewMessage>('outbox', {
  ownerId: 'owner_id bigint',
  jobKey: 'job_key bigint',
  id: 'attempt_id text',
});

const dutyToMerge = ({ id, jobKey, dueAt, isExternal, failedCount }: MergeRow) => ({
  id,
  kind: 'merge',
  jobId: null,
  jobKey,
  payload: JSON.stringify({ isExternal, failedCount }),
  dueAt,
});

const toDuty = ({ jobId, kind, ...payload }: NewDuty) => ({
  id: newId(),
  kind,
  jobId,
  jobKey: null,
  payload: JSON.stringify(payload),
  dueAt: null,
});

/** A duty takes the place of the one before, in whose hands that may be; one that is only changed stays there. */
function putDuties(rows: readonly (ReturnType<typeof dutyToMerge> | ReturnType<typeof toDuty>)[]): Sql {
  const [ids, kinds, jobIds, keys, payloads, times] = columnsOf(
    rows,
    'id',
    'kind',
    'jobId',
    'jobKey',
    'payload',
    'dueAt',
  );
  return sql`
    INSERT INTO duties (id, kind, job_id, payload, next_try_at)
    SELECT said.id, kind, coalesce(said.job_id, (SELECT job_id FROM jobs WHERE jobs.id = job_key)), payload,
      coalesce(due_at, now())
    FROM unnest(${ids}::text[], ${kinds}::text[], ${jobIds}::text[], ${keys}::bigint[], ${payloads}::jsonb[],
        ${times}::timestamptz[])
      AS said (id, kind, job_id, job_key, payload, due_at)
    ON CONFLICT (job_id, kind) DO UPDATE
    SET id = excluded.id, payload = excluded.payload, next_try_at = excluded.next_try_at,
      held_until = CASE WHEN duties.id = excluded.id THEN duties.held_until END,
      try_count = CASE WHEN duties.id = excluded.id THEN duties.try_count ELSE 0 END`;
}

/** Another request with the key that was stored in this very moment keeps it. */
const insertAnswer = ({ job, key, requestHash, answer, hours }: NewAnswer) => sql`
  INSERT INTO idempotency_keys (owner_id, key, request_hash, job_id, seed, warnings, answer, expires_at)
  VALUES (${job.ownerId}, ${key}, ${requestHash}, ${job.jobId}, ${String(job.seed)}::numeric, '[]', ${JSON.stringify(answer)}::json,
    now() + ${hours}::float8 * interval '1 hour')
  ON CONFLICT (owner_id, key) DO UPDATE
  SET request_hash = excluded.request_hash, job_id = excluded.job_id, seed = excluded.seed, warnings = excluded.warnings,
    failure = NULL, answer = excluded.answer, expires_at = excluded.expires_at
  WHERE idempotency_keys.expires_at <= now()`;

const keysOf = (jobs: Change['deletedJobs']) => jobs.map(({ jobKey }) => jobKey);

/** Deleting a job locks its tasks in no order that others know. */
const lockTasksOf = (jobs: Change['deletedJobs']) =>
  sql`SELECT 1 FROM tasks WHERE job_key = ANY(${keysOf(jobs)}) ORDER BY id FOR UPDATE`;
const deleteJobs = (jobs: Change['deletedJobs']) => sql`DELETE FROM jobs WHERE id = ANY(${keysOf(jobs)})`;
