import type { Draft } from '../change.js';
import type { JobId } from '../job.js';
import { isTerminal } from '../job-state.js';
import { moveJobAsReported, moveTasks } from '../move-state.js';
import { closeWork, holdMerge } from '../work.js';
import { authorizeWorker, isOver, requireThere } from './authorize-worker.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';
import { type Decision, decideJobUpdate, hashUpdate, type JobFields, type JobUpdate } from './worker-update.js';

/**
 * A worker's update of its job. Whatever was open in a job that it ends is closed: tasks are COMPLETED with a COMPLETED
 * job and CANCELED with any other.
 * @returns whether it applied: also true for a repeat of the update that ended the job
 * @throws ServiceError UPDATE_KEY_INVALID
 */
export async function updateJob(ports: WorkerPorts, credential: WorkerCredential, update: JobUpdate): Promise<boolean> {
  const jobId = await authorizeWorker(ports, credential);
  const decision = requireThere(
    await ports.states.changeJob(
      { jobId },
      update.state !== undefined && isTerminal(update.state) ? 'all' : 'tally',
      (draft) => decideWorkerJobUpdate(draft, jobId, update, ports),
    ),
  );
  return decision.kind === 'applied' || decision.isRepeat;
}

/** Undefined: no such job any more, or its key is over. */
export function decideWorkerJobUpdate(
  draft: Draft,
  jobId: JobId,
  update: JobUpdate,
  { workerLeaseMs, updateKeyHours }: Pick<WorkerPorts, 'workerLeaseMs' | 'updateKeyHours'>,
): Decision<JobFields> | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined || isOver(job, draft.now, updateKeyHours)) return undefined;
  const { jobKey, platform, endTime, jobDir, arrayId, collectId } = job;
  const hasMerge = draft.openMergeOf(jobKey) !== undefined;
  const before = { platform, state: job.state, endTime, jobDir, arrayId, collectId, hasMerge };
  const decision = decideJobUpdate(before, job.endedBy, update, draft.now);
  if (decision.kind === 'ignored') return decision;
  const { state } = decision.fields;
  if (isTerminal(state)) {
    moveTasks(draft, jobKey, state === 'COMPLETED' ? 'jobCompleted' : 'canceled');
    closeWork(draft, jobKey);
  } else if (platform === 'batch' || update.state === undefined) {
    // no external worker merges a batch job: this service does, when its tasks have delivered or nothing more comes
  } else if (state === 'MERGING_QUEUED' || state === 'MERGING_RUNNING' || draft.tally(jobKey).openCount === 0) {
    // whatever it calls the state: all tasks have ended, so it must be merging
    holdMerge(draft, jobKey, workerLeaseMs);
  } else {
    draft.endMerge(jobKey);
  }
  moveJobAsReported(draft, job, decision.fields, () => hashUpdate(update));
  return decision;
}
