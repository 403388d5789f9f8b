import type { JobId } from '../job.js';
import type { DeletionStore, JobData } from '../ports.js';
import { processDue } from './process-due.js';

/** Tried at once; results answers each within the time limit of a call. */
const BATCH = 20;

export interface DeletionPorts {
  readonly deletions: DeletionStore;
  readonly jobData: JobData;
  readonly retryMaxMs: number;
}

/**
 * Removes the data of deleted and abandoned jobs from results, until nothing is due. A try that fails is made again,
 * later each time.
 * @throws one of the errors, when results did not remove a job
 */
export async function processDeletions({ deletions, jobData, retryMaxMs }: DeletionPorts): Promise<void> {
  const remove = async (jobId: JobId) => {
    await jobData.deleteJobData(jobId);
    await deletions.finishDeletion(jobId);
  };
  await processDue((limit) => deletions.takeDueDeletions(limit, retryMaxMs), remove, BATCH);
}
