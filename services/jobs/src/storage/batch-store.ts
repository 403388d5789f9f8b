import { z } from 'zod';
import type { BatchJob, BatchStore } from '../domain/batch-ports.js';
import { type BatchReport, decideBatchEnd, groupReports, SCHEDULER_TRIGGERS } from '../domain/batch-report.js';
import { INPUT_TYPES, type JobId, SIMULATORS } from '../domain/job.js';
import type { TaskTally } from '../domain/job-end.js';
import { isTerminal, STATES } from '../domain/job-state.js';
import { type Database, Prisma, queryRow, queryRows, type Statements } from './database.js';
import { endJobIfDone } from './end-job.js';
import { moveJob, moveTasks } from './move-state.js';

/** @param holdMs - lease of a worker outside that is waited for */
export function createBatchStore(database: Database, holdMs: number): BatchStore {
  return {
    findBatchJob: (jobId) => database.run((db) => findBatchJob(db, jobId)),
    reportBatch: (jobId, report) => database.transact((tx) => reportBatch(tx, jobId, report, holdMs)),
  };
}

const orderRow = z.object({
  simulator: z.enum(SIMULATORS),
  input_type: z.enum(INPUT_TYPES),
  seed: z.string().transform(BigInt),
  state: z.enum(STATES),
  task_id: z.number(),
  requested_primaries: z.bigint(),
  first_history: z.bigint(),
  task_state: z.enum(STATES),
});

async function findBatchJob(db: Statements, jobId: JobId): Promise<BatchJob | undefined> {
  const rows = await queryRows(
    db,
    orderRow,
    Prisma.sql`SELECT simulator, input_type, seed::text AS seed, simulations.state, task_id, requested_primaries,
        first_history, tasks.state AS task_state
      FROM simulations JOIN tasks ON simulation_id = simulations.id
      WHERE job_id = ${jobId} AND platform = 'batch' ORDER BY task_id`,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    simulator: first.simulator,
    inputType: first.input_type,
    seed: first.seed,
    isOpen: !isTerminal(first.state),
    tasks: rows.map((row) => ({
      taskId: row.task_id,
      primaries: row.requested_primaries,
      firstHistory: row.first_history,
      state: row.task_state,
    })),
  };
}

const jobRow = z.object({ id: z.bigint(), owner_id: z.bigint(), state: z.enum(STATES) });

async function reportBatch(
  tx: Statements,
  jobId: JobId,
  report: BatchReport,
  holdMs: number,
): Promise<boolean | undefined> {
  const job = await queryRow(
    tx,
    jobRow,
    Prisma.sql`SELECT id, owner_id, state FROM simulations
      WHERE job_id = ${jobId} AND platform = 'batch' FOR NO KEY UPDATE`,
  );
  if (job === undefined) return undefined;
  if (isTerminal(job.state)) return false;
  const simulation = { simulationId: job.id, ownerId: job.owner_id };
  await storeFacts(tx, job.id, report);
  const ofJob = Prisma.sql`simulation_id = ${job.id}`;
  for (const { state, failure, taskIds } of groupReports(report.tasks)) {
    const selection = Prisma.sql`${ofJob} AND task_id = ANY(${[...taskIds]}::int[])`;
    const words = state === 'FAILED' ? { failure: failure || UNSAID_FAILURE } : {};
    const moved = await moveTasks(tx, selection, SCHEDULER_TRIGGERS[state], words);
    if (state === 'RUNNING' && moved > 0) await moveJob(tx, job.id, 'started'); // false: it is RUNNING already
  }
  const { end } = report;
  if (end === undefined) {
    await endJobIfDone(tx, simulation, { missing: 'pending', holdMs });
  } else {
    const closed = await moveTasks(tx, ofJob, 'failed', { failure: end.failure });
    const decide = (tally: TaskTally) => decideBatchEnd(end, closed, tally);
    await endJobIfDone(tx, simulation, { missing: 'lost', holdMs, decide });
  }
  const after = await queryRow(
    tx,
    z.object({ state: z.enum(STATES) }),
    Prisma.sql`SELECT state FROM simulations WHERE id = ${job.id}`,
  );
  return after !== undefined && !isTerminal(after.state);
}

const UNSAID_FAILURE = 'REPORTED: its cluster said so';

/** What is not said stays as it is. The condition spares a row version for each round of the observer. */
async function storeFacts(tx: Statements, simulationId: bigint, report: BatchReport): Promise<void> {
  const { jobDir = null, arrayId = null, collectId = null, waitingReason } = report;
  const isSaid = waitingReason !== undefined;
  await tx.$executeRaw`
    WITH said AS (
      SELECT id, coalesce(${jobDir}::text, job_dir) AS job_dir, coalesce(${arrayId}::bigint, array_id) AS array_id,
        coalesce(${collectId}::bigint, collect_id) AS collect_id,
        CASE WHEN ${isSaid}::boolean THEN ${waitingReason ?? null}::text ELSE waiting_reason END AS waiting_reason
      FROM simulations WHERE id = ${simulationId}
    )
    UPDATE simulations SET job_dir = said.job_dir, array_id = said.array_id, collect_id = said.collect_id,
      waiting_reason = said.waiting_reason
    FROM said WHERE simulations.id = said.id
      AND (simulations.job_dir, simulations.array_id, simulations.collect_id, simulations.waiting_reason)
        IS DISTINCT FROM (said.job_dir, said.array_id, said.collect_id, said.waiting_reason)`;
}
