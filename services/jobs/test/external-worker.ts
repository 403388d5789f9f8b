import { jobs } from '@tally/contracts';
import { deriveUpdateKey, TEST_UPDATE_KEY_MASTER } from '../testing/start.js';

/** What an external worker shows for a job. */
export function credentialOf(jobId: string): jobs.WorkerCredential {
  return { jobRef: jobId, updateKey: deriveUpdateKey(TEST_UPDATE_KEY_MASTER, jobId) };
}

/** A worker's update of a job: RUNNING, unless given. */
export function jobUpdate(jobId: string, fields: Partial<jobs.UpdateJobRequest> = {}): jobs.UpdateJobRequest {
  return { credential: credentialOf(jobId), state: jobs.State.STATE_RUNNING, ...fields };
}

/** A worker's update of task 1 that says nothing, unless given. */
export function taskUpdate(jobId: string, fields: Partial<jobs.UpdateTaskRequest> = {}): jobs.UpdateTaskRequest {
  return {
    credential: credentialOf(jobId),
    taskId: 1,
    state: jobs.State.STATE_UNSPECIFIED,
    requestedPrimaries: 0n,
    simulatedPrimaries: 0n,
    celeryId: '',
    failure: '',
    ...fields,
  };
}
