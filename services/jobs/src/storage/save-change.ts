import { type Sql, sql } from '@tally/service-kit';
import type { Change } from '../domain/change.js';

/** One array a column, for unnest. */
function columnsOf<Row, Names extends (keyof Row)[]>(rows: readonly Row[], ...names: Names) {
  return names.map((name) => rows.map((row) => row[name])) as { [K in keyof Names]: Row[Names[K]][] };
}

/**
 * The statements that store a change: one for each table, however many rows; none for what does not change. Attempts and
 * merges are ended before others are opened (one is open at a time), and opened before messages name them.
 */
export function saveChange(change: Change): Sql[] {
  const { jobs, tasks, attempts, openedAttempts, merges, openedMerges } = change;
  const statements: Sql[] = [];
  const add = (rows: readonly unknown[], ...made: (() => Sql)[]) => {
    if (rows.length > 0) statements.push(...made.map((make) => make()));
  };
  add(tasks, () => updateTasks(tasks));
  add(attempts, () => updateAttempts(attempts));
  add(openedAttempts, () => insertAttempts(openedAttempts));
  add(merges, () => updateMerges(merges));
  add(openedMerges, () => insertMerges(openedMerges));
  add(jobs, () => updateJobs(jobs));
  add(change.droppedMessages, () => deleteMessages(change.droppedMessages));
  add(change.addedMessages, () => insertMessages(change.addedMessages));
  add(
    change.commands,
    () => dropSubmits(change.commands),
    () => insertCommands(change.commands),
  );
  add(
    change.deletedJobs,
    () => lockTasksOf(change.deletedJobs),
    () => deleteJobs(change.deletedJobs),
    () => insertDeletions(change.deletedJobs),
  );
  const owners = new Set([...tasks, ...jobs].map(({ jobKey }) => jobKey));
  if (owners.size > 1) statements.push(lockEvents([...owners]));
  return statements;
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
  return sql`
    UPDATE tasks SET state = said.state, requested_primaries = said.requested_primaries,
      simulated_primaries = said.simulated_primaries, estimated_seconds = said.estimated_seconds,
      start_time = said.start_time, end_time = said.end_time, last_update_time = said.last_update_time,
      celery_id = said.attempt_id, failure = said.failure, is_unexplained = said.is_unexplained,
      end_update_hash = said.end_update_hash, has_output = said.has_output
    FROM unnest(${keys}::bigint[], ${states}::text[], ${requested}::bigint[], ${simulated}::bigint[], ${estimates}::int[],
        ${starts}::timestamptz[], ${ends}::timestamptz[], ${updates}::timestamptz[], ${attemptIds}::text[],
        ${failures}::text[], ${unexplained}::bool[], ${endedBy}::text[], ${outputs}::bool[])
      AS said (id, state, requested_primaries, simulated_primaries, estimated_seconds, start_time, end_time,
        last_update_time, attempt_id, failure, is_unexplained, end_update_hash, has_output)
    WHERE tasks.id = said.id`;
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
    WHERE attempts.id = said.id`;
}

function insertAttempts(rows: Change['openedAttempts']): Sql {
  const [ids, tasks, numbers] = columnsOf(rows, 'id', 'taskKey', 'number');
  const [runners, leases, ends, outcomes] = columnsOf(rows, 'runnerId', 'leaseExpiresAt', 'endedAt', 'outcome');
  return sql`
    INSERT INTO attempts (id, task_key, number, runner_id, lease_expires_at, ended_at, outcome)
    SELECT * FROM unnest(${ids}::text[], ${tasks}::bigint[], ${numbers}::int[], ${runners}::text[], ${leases}::timestamptz[],
      ${ends}::timestamptz[], ${outcomes}::text[])`;
}

function updateMerges(rows: Change['merges']): Sql {
  const [ids, runners, leases, ends, outcomes] = columnsOf(
    rows,
    'id',
    'runnerId',
    'leaseExpiresAt',
    'endedAt',
    'outcome',
  );
  return sql`
    UPDATE merges SET runner_id = said.runner_id, lease_expires_at = said.lease_expires_at, ended_at = said.ended_at,
      outcome = said.outcome
    FROM unnest(${ids}::text[], ${runners}::text[], ${leases}::timestamptz[], ${ends}::timestamptz[], ${outcomes}::text[])
      AS said (id, runner_id, lease_expires_at, ended_at, outcome)
    WHERE merges.id = said.id`;
}

function insertMerges(rows: Change['openedMerges']): Sql {
  const [ids, jobs, numbers] = columnsOf(rows, 'id', 'jobKey', 'number');
  const [runners, leases, ends, outcomes] = columnsOf(rows, 'runnerId', 'leaseExpiresAt', 'endedAt', 'outcome');
  return sql`
    INSERT INTO merges (id, simulation_id, number, runner_id, lease_expires_at, ended_at, outcome)
    SELECT * FROM unnest(${ids}::text[], ${jobs}::bigint[], ${numbers}::int[], ${runners}::text[], ${leases}::timestamptz[],
      ${ends}::timestamptz[], ${outcomes}::text[])`;
}

function updateJobs(rows: Change['jobs']): Sql {
  const [keys, states, ends, closes, failures] = columnsOf(rows, 'jobKey', 'state', 'endTime', 'closedAt', 'failure');
  const [mergeIds, dirs, arrays, collects] = columnsOf(rows, 'mergeId', 'jobDir', 'arrayId', 'collectId');
  const [reasons, endedBy] = columnsOf(rows, 'waitingReason', 'endedBy');
  return sql`
    UPDATE simulations SET state = said.state, end_time = said.end_time, closed_at = said.closed_at, failure = said.failure,
      merge_id = said.merge_id, job_dir = said.job_dir, array_id = said.array_id, collect_id = said.collect_id,
      waiting_reason = said.waiting_reason, end_update_hash = said.end_update_hash
    FROM unnest(${keys}::bigint[], ${states}::text[], ${ends}::timestamptz[], ${closes}::timestamptz[], ${failures}::text[],
        ${mergeIds}::text[], ${dirs}::text[], ${arrays}::bigint[], ${collects}::bigint[], ${reasons}::text[],
        ${endedBy}::text[])
      AS said (id, state, end_time, closed_at, failure, merge_id, job_dir, array_id, collect_id, waiting_reason,
        end_update_hash)
    WHERE simulations.id = said.id`;
}

/** Ids of attempts and merges never meet. */
const deleteMessages = (ids: Change['droppedMessages']) =>
  sql`DELETE FROM outbox WHERE attempt_id = ANY(${ids}) OR merge_id = ANY(${ids})`;

function insertMessages(messages: Change['addedMessages']): Sql {
  const [kinds, owners, jobs, ids] = columnsOf(messages, 'kind', 'ownerId', 'jobKey', 'id');
  return sql`
    INSERT INTO outbox (kind, owner_id, simulation_id, attempt_id, merge_id)
    SELECT kind, owner_id, job_key, CASE kind WHEN 'task' THEN id END, CASE kind WHEN 'merge' THEN id END
    FROM unnest(${kinds}::text[], ${owners}::bigint[], ${jobs}::bigint[], ${ids}::text[])
      AS message (kind, owner_id, job_key, id)`;
}

const dropSubmits = (commands: Change['commands']) => {
  const jobIds = commands.map(({ jobId }) => jobId);
  return sql`DELETE FROM errands WHERE job_id = ANY(${jobIds}) AND kind = 'submit'`;
};

function insertCommands(commands: Change['commands']): Sql {
  const [jobIds, kinds, owners] = columnsOf(commands, 'jobId', 'kind', 'ownerId');
  return sql`
    INSERT INTO errands (job_id, kind, owner_id)
    SELECT * FROM unnest(${jobIds}::text[], ${kinds}::text[], ${owners}::bigint[]) ON CONFLICT DO NOTHING`;
}

const keysOf = (jobs: Change['deletedJobs']) => jobs.map(({ jobKey }) => jobKey);

/** Deleting a job locks its tasks in no order that others know. */
const lockTasksOf = (jobs: Change['deletedJobs']) =>
  sql`SELECT 1 FROM tasks WHERE simulation_id = ANY(${keysOf(jobs)}) ORDER BY id FOR UPDATE`;
const deleteJobs = (jobs: Change['deletedJobs']) => sql`DELETE FROM simulations WHERE id = ANY(${keysOf(jobs)})`;
const insertDeletions = (jobs: Change['deletedJobs']) => {
  const jobIds = jobs.map(({ jobId }) => jobId);
  return sql`INSERT INTO deletions (job_id) SELECT unnest(${jobIds}::text[]) ON CONFLICT (job_id) DO NOTHING`;
};

/** What the triggers of events lock at the commit, owner by owner; of several, in an order that is the same for everybody. */
const lockEvents = (jobKeys: readonly bigint[]) => sql`
  SELECT pg_advisory_xact_lock(7101, lock) FROM (
    SELECT DISTINCT hashint8(owner_id) AS lock FROM simulations WHERE id = ANY(${jobKeys}) ORDER BY lock) owners`;
