import { z } from 'zod';
import { INPUT_TYPES, type Job, type JobId, PLATFORMS, SIMULATORS } from '../domain/job.js';
import { STATES } from '../domain/job-state.js';
import { Prisma } from './database.js';

/** Columns of a job as {@link jobRow} reads them. */
export const JOB_COLUMNS = Prisma.sql`simulations.id AS simulation_id, simulations.job_id, simulations.title, simulations.platform,
  simulations.input_type, simulations.simulator, simulations.state, simulations.start_time, simulations.end_time,
  simulations.task_count, simulations.seed::text AS seed, simulations.failure,
  simulations.cluster_name, simulations.waiting_reason`;

export const jobColumns = {
  simulation_id: z.bigint(),
  job_id: z.string(),
  title: z.string(),
  platform: z.enum(PLATFORMS),
  input_type: z.enum(INPUT_TYPES),
  simulator: z.enum(SIMULATORS),
  state: z.enum(STATES),
  start_time: z.date(),
  end_time: z.date().nullable(),
  task_count: z.number(),
  seed: z.string().transform(BigInt),
  failure: z.string().nullable(),
  cluster_name: z.string().nullable(),
  waiting_reason: z.string().nullable(),
};
export const jobRow = z.object(jobColumns);

/** A failure of some tasks is kept before the job has ended, but is not yet the job's. */
export function toJob(row: z.output<typeof jobRow>): Job {
  return {
    jobId: row.job_id as JobId,
    simulationId: row.simulation_id,
    title: row.title,
    platform: row.platform,
    inputType: row.input_type,
    simulator: row.simulator,
    state: row.state,
    startTime: row.start_time,
    endTime: row.end_time,
    taskCount: row.task_count,
    seed: row.seed,
    failure: row.state === 'FAILED' ? row.failure : null,
    clusterName: row.cluster_name,
    waitingReason: row.waiting_reason,
  };
}
