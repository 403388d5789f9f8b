import type { ClusterSettings } from '../cluster/cluster.js';
import { listFolder } from '../fetch/fetch-folder.js';
import { jobFolderPath } from '../job-folder-path.js';
import type { ClusterSession, WorkerPorts } from '../ports.js';
import { isCollect, type SchedulerJobState, type SubmissionIn, taskIdsOf } from '../submission.js';
import { resubmit, updateSubmission } from '../submission-state.js';
import { newRecord, recordOf, type TaskRecords } from './task-record.js';

/**
 * Submits tasks again that the scheduler has lost before they began, as a controller does that dies before it has saved what it
 * has accepted. That a task did not begin is known when it was not shown to run, has not ended for jobs, and has left no
 * file. The collect job is submitted again with them if it is lost, too.
 * @param ended - scheduler jobs that turned out to be over, by ordinal
 * @returns whether there were such tasks
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
  const isSilent = (id: number) => {
    const { end, reported } = recordOf(records, id);
    return end?.outcome === 'lost' && reported === 'nothing';
  };
  const over = phase.remoteJob.schedulerJobs.filter(({ ordinal }) => ended.has(ordinal));
  const silent = over.filter((job) => !isCollect(job)).flatMap((job) => taskIdsOf(job).filter(isSilent));
  if (desired !== 'run' || silent.length === 0) return false;
  const folder = jobFolderPath(cluster, phase.remoteJob.username, jobId);
  const state = await jobs.getState(jobId);
  if (state?.isOpen !== true) return false;
  const listing = await listFolder(session, folder, silent);
  const unbegun = silent.filter((id) => !state.endedTasks.has(id) && listing.get(id)?.size === 0);
  if (unbegun.length === 0) return false;
  const lost = [...over.filter(isCollect).flatMap(taskIdsOf).filter(isSilent), ...unbegun];
  logger.warn({ job_id: jobId, cluster: cluster.name, tasks: lost }, 'lost by the scheduler; submitted again');
  await tasks.save(jobId, lost.map(newRecord));
  await updateSubmission(store, submission, (stored) => resubmit(stored, ended, new Set(lost), clock.now()));
  return true;
}
