import type { JobQuery, JobStore, Owned, Versioned } from '../domain/ports.js';
import type { JobWithTasks, TaskColumns } from '../domain/task.js';
import type { Database } from './database.js';
import { listJobs } from './list-jobs.js';
import { readUnlessKnown } from './read-unless-known.js';
import { foldUsage } from './statements/accounting/ledger.js';
import { toJob } from './statements/job-row.js';
import { type ColumnsJson, foldCounts, listRunners, showJob } from './statements/jobs.js';

export function createJobStore(database: Database): JobStore {
  return {
    findJob: (query, knownVersion) => readJob(database, query, knownVersion),
    explainMiss: (query) => explainMiss(database, query),
    listRunners: (query) => readRunners(database, query),
    listJobs: (query, knownVersion) => listJobs(database, query, knownVersion),
    compactCounts: async () => {
      await database.run(foldCounts());
      await database.run(foldUsage());
    },
  };
}

async function explainMiss(database: Database, query: JobQuery): Promise<'foreign' | 'missing'> {
  const { jobId, platform } = query;
  return (await database.client.job.count({ where: { jobId, platform } })) > 0 ? 'foreign' : 'missing';
}

const toColumns = (json: ColumnsJson): TaskColumns => ({
  taskIds: json.taskIds,
  states: json.states,
  requestedPrimaries: json.requested.map(BigInt),
  simulatedPrimaries: json.simulated.map(BigInt),
  estimatedSeconds: json.estimates,
  startTimesMs: json.starts,
  endTimesMs: json.ends,
  lastUpdateTimesMs: json.updates,
  attemptCounts: json.attempts,
  failures: new Map(Object.entries(json.failures ?? {}).map(([taskId, failure]) => [Number(taskId), failure])),
});

async function readJob(
  database: Database,
  query: JobQuery,
  knownVersion: string,
): Promise<Owned<Versioned<JobWithTasks>>> {
  const found = await readUnlessKnown(database, showJob(query), knownVersion);
  if (found === undefined) return { kind: await explainMiss(database, query) };
  const row = found.rows?.[0];
  const job = row && {
    ...toJob(row),
    tasks: toColumns(row.columns),
    labels: row.labels && { ...row.labels, note: row.note },
  };
  return { kind: 'own', value: { version: found.version, shown: job } };
}

async function readRunners(database: Database, query: JobQuery): ReturnType<JobStore['listRunners']> {
  const rows = await database.rows(listRunners(query));
  if (rows.length === 0) return { kind: await explainMiss(database, query) };
  const value = rows.flatMap(({ runnerId, taskCount }) => (runnerId === null ? [] : [{ runnerId, taskCount }]));
  return { kind: 'own', value };
}
