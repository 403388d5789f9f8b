import { newId, type Sql, sql } from '@tally/service-kit';
import type { AddedTasks, Change, NewAnswer, NewDuty } from '../domain/change.js';
import type { MergeRow } from '../domain/snapshot.js';
import { parkMessages } from './statements/parking.js';
import { newTasks } from './submission/new-tasks.js';
import { writeChangeEvents, writeDeletionEvents } from './write-events.js';

/** One array a column, for unnest. */
function columnsOf<Row, Names extends (keyof Row)[]>(rows: readonly Row[], ...names: Names) {
  return names.map((name) => rows.map((row) => row[name])) as { [K in keyof Names]: Row[Names[K]][] };
}

/**
 * The statements that store a change: one for each table, however many rows; none for what does not change. Attempts are ended
 * before others are opened (one is open at a time), and opened before messages name them. Rows that are replaced are named by an array of their keys besides the join with their
 * new values: else the planner may read all of a table that it knows as almost empty.
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

function updateTasks(rows: Change['tasks']): Sql {
  const [keys, states, requested, simulated, estimates] = columnsOf(
    rows,
    'taskKey',
    'state',
    'requestedPrimaries',
    'simulatedPrimaries',
    'estimatedSeconds',
  );
  const [starts, ends, updates, attemptIds] = columnsOf(
    rows,
    'startTime',
    'endTime',
    'lastUpdateTime',
    'currentAttemptId',
  );
  const [failures, unexplained, endedBy, outputs] = columnsOf(rows, 'failure', 'isUnexplained', 'endedBy', 'hasOutput');
  const [eventTimes, finishes] = columnsOf(rows, 'progressEventAt', 'mustFinish');
  return sql`
    UPDATE tasks SET state = said.state, requested_primaries = said.requested_primaries,
      simulated_primaries = said.simulated_primaries, estimated_seconds = said.estimated_seconds,
      start_time = said.start_time, end_time = said.end_time, last_update_time = said.last_update_time,
      current_attempt_id = said.attempt_id, failure = said.failure, is_unexplained = said.is_unexplained,
      end_update_hash = said.end_update_hash, has_output = said.has_output,
      progress_event_at = said.progress_event_at, must_finish = said.must_finish
    FROM unnest(${keys}::bigint[], ${states}::text[], ${requested}::bigint[], ${simulated}::bigint[], ${estimates}::int[],
        ${starts}::timestamptz[], ${ends}::timestamptz[], ${updates}::timestamptz[], ${attemptIds}::text[],
        ${failures}::text[], ${unexplained}::bool[], ${endedBy}::text[], ${outputs}::bool[],
        ${eventTimes}::timestamptz[], ${finishes}::bool[])
      AS said (id, state, requested_primaries, simulated_primaries, estimated_seconds, start_time, end_time,
        last_update_time, attempt_id, failure, is_unexplained, end_update_hash, has_output,
        progress_event_at, must_finish)
    WHERE tasks.id = ANY(${keys}) AND tasks.id = said.id`;
}

function updateAttempts(rows: Change['attempts']): Sql {
  const [ids, runners, leases, ends, outcomes] = columnsOf(
    rows,
    'id',
    'runnerId',
    'leaseExpiresAt',
    'endedAt',
    'outcome',
  );
  return sql`
    UPDATE attempts SET runner_id = said.runner_id, lease_expires_at = said.lease_expires_at, ended_at = said.ended_at,
      outcome = said.outcome
    FROM unnest(${ids}::text[], ${runners}::text[], ${leases}::timestamptz[], ${ends}::timestamptz[], ${outcomes}::text[])
      AS said (id, runner_id, lease_expires_at, ended_at, outcome)
    WHERE attempts.id = ANY(${ids}) AND attempts.id = said.id`;
}

function insertAttempts(rows: Change['openedAttempts']): Sql {
  const [ids, tasks, numbers] = columnsOf(rows, 'id', 'taskKey', 'number');
  const [runners, leases, ends, outcomes] = columnsOf(rows, 'runnerId', 'leaseExpiresAt', 'endedAt', 'outcome');
  return sql`
    INSERT INTO attempts (id, task_key, number, runner_id, lease_expires_at, ended_at, outcome)
    SELECT * FROM unnest(${ids}::text[], ${tasks}::bigint[], ${numbers}::int[], ${runners}::text[], ${leases}::timestamptz[],
      ${ends}::timestamptz[], ${outcomes}::text[])`;
}

function updateJobs(rows: Change['jobs']): Sql {
  const [keys, states, ends, closes, failures] = columnsOf(rows, 'jobKey', 'state', 'endTime', 'closedAt', 'failure');
  const [mergeIds, numbers, dirs, arrays, collects] = columnsOf(
    rows,
    'mergeId',
    'mergeNumber',
    'jobDir',
    'arrayId',
    'collectId',
  );
  const [reasons, endedBy, stops, simulated] = columnsOf(
    rows,
    'waitingReason',
    'endedBy',
    'stoppedAt',
    'simulatedPrimaries',
  );
  const [extensions, submittedCounts, executables] = columnsOf(rows, 'extendedAt', 'submittedTaskCount', 'executable');
  const convergences = rows.map(({ convergence }) => convergence && JSON.stringify(convergence));
  return sql`
    UPDATE jobs SET state = said.state, end_time = said.end_time, closed_at = said.closed_at, failure = said.failure,
      merge_id = said.merge_id, merge_number = said.merge_number, job_dir = said.job_dir, array_id = said.array_id, collect_id = said.collect_id,
      waiting_reason = said.waiting_reason, end_update_hash = said.end_update_hash, stopped_at = said.stopped_at,
      merged_primaries = said.merged_primaries, extended_at = said.extended_at,
      submitted_task_count = said.submitted_task_count, executable = said.executable, convergence = said.convergence::json
    FROM unnest(${keys}::bigint[], ${states}::text[], ${ends}::timestamptz[], ${closes}::timestamptz[], ${failures}::text[],
        ${mergeIds}::text[], ${numbers}::int[], ${dirs}::text[], ${arrays}::bigint[], ${collects}::bigint[], ${reasons}::text[],
        ${endedBy}::text[], ${stops}::timestamptz[], ${simulated}::bigint[],
        ${extensions}::timestamptz[], ${submittedCounts}::int[], ${executables}::text[], ${convergences}::text[])
      AS said (id, state, end_time, closed_at, failure, merge_id, merge_number, job_dir, array_id, collect_id, waiting_reason,
        end_update_hash, stopped_at, merged_primaries, extended_at, submitted_task_count,
        executable, convergence)
    WHERE jobs.id = ANY(${keys}) AND jobs.id = said.id`;
}

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

function insertMessages(messages: Change['addedMessages']): Sql {
  const [owners, jobs, ids] = columnsOf(messages, 'ownerId', 'jobKey', 'id');
  return sql`
    INSERT INTO outbox (owner_id, job_key, attempt_id)
    SELECT * FROM unnest(${owners}::bigint[], ${jobs}::bigint[], ${ids}::text[])`;
}

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
