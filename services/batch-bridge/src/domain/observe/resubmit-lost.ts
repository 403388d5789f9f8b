import type { ClusterSettings } from '../cluster/cluster.js';
import { listFolder } from '../fetch/fetch-folder.js';
import { jobFolderPath } from '../job-folder-path.js';
import type { ClusterSession, WorkerPorts } from '../ports.js';
import { isCollect, type SchedulerJobState, type SubmissionIn } from '../submission.js';
import { resubmit, updateSubmission } from '../submission-state.js';
import { taskIdsOf } from './ended-scheduler-jobs.js';
import { newRecord, recordOf, type TaskRecords } from './task-record.js';

/**
 * Submits arrays again that the scheduler has lost before they began, as a controller does that dies before it has saved what it
 * has accepted. That nothing of them began is known when no task of theirs was shown to run, has ended for jobs, or has left a
 * file. Their collect job is submitted again with them if it is lost, too.
 * @param ended - scheduler jobs that turned out to be over, by ordinal
 * @returns whether there were such arrays
 */
export async function resubmitLost(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  records: TaskRecords,
  ended: ReadonlyMap<number, SchedulerJobState>,
): Promise<boolean> {
  const { store, tasks, jobs, clock, logger } = ports;
  const { jobId, phase, desired } = submission;
  const lost = phase.remoteJob.schedulerJobs.filter(({ ordinal }) => ended.get(ordinal)?.kind === 'lost');
  const silent = lost.filter((job) => taskIdsOf(job).every((id) => recordOf(records, id).reported === 'nothing'));
  const arrays = silent.filter((job) => !isCollect(job));
  if (desired !== 'run' || arrays.length === 0) return false;
  const folder = jobFolderPath(cluster, phase.remoteJob.username, jobId);
  const state = await jobs.getState(jobId);
  if (state?.isOpen !== true) return false;
  const listing = await listFolder(session, folder, arrays.flatMap(taskIdsOf));
  const unbegun = arrays.filter((job) =>
    taskIdsOf(job).every((id) => !state.endedTasks.has(id) && listing.get(id)?.size === 0),
  );
  if (unbegun.length === 0) return false;
  const again = [...unbegun, ...silent.filter(isCollect)];
  const ordinals = new Set(again.map(({ ordinal }) => ordinal));
  logger.warn(
    { job_id: jobId, cluster: cluster.name, ordinals: [...ordinals] },
    'lost by the scheduler; submitted again',
  );
  await tasks.save(jobId, again.flatMap(taskIdsOf).map(newRecord));
  await updateSubmission(store, submission, (stored) => resubmit(stored, ordinals, clock.now()));
  return true;
}
