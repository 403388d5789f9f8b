import { TASK_FILES } from '@tally/batch-helper';
import type { ClusterSettings } from '../cluster/cluster.js';
import { listFolder } from '../fetch/fetch-folder.js';
import { jobFolderPath } from '../job-folder-path.js';
import type { ClusterSession, TaskReport, WorkerPorts } from '../ports.js';
import type { Observation } from '../scheduler.js';
import type { SubmissionIn } from '../submission.js';
import { storeWaiting } from './report-waiting.js';
import { dueReport, type TaskRecord, type TaskRecords, writeSchedulerFailure } from './task-record.js';
import { type FindObservation, isCollectRecord, type TrackedTask } from './tracked-tasks.js';

/**
 * Reports to jobs what is new of a job's tasks, and why it waits, by one call and only if there is news. A task that the
 * scheduler calls failed is looked up in the job's folder first, after the scheduler has been asked: when it has written
 * its own end, that counts, and the scheduler's word is not passed on.
 * @returns the records as they are now, and why tasks wait at the scheduler; empty: none does. That a job does not wait any
 *   more is not reported here, since it may still wait for something else
 */
export async function reportTasks(
  ports: WorkerPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  tracked: readonly TrackedTask[],
  records: TaskRecords,
  { now, observed }: { readonly now: Date; readonly observed: FindObservation },
): Promise<{ readonly records: TaskRecords; readonly waitingReason: string }> {
  const { jobId, phase, desired } = submission;
  if (desired === 'deleted') return { records, waitingReason: '' };
  const observations = new Map(tracked.map((task) => [task.taskId, observed(task)]));
  const context = { now, graceMs: ports.limits.failureGraceMs, isStopped: desired !== 'run' };
  const due = (state: 'running' | 'failed') =>
    [...records.values()].filter(
      (record) => !isCollectRecord(record) && dueReport(record, observations.get(record.taskId), context) === state,
    );
  const running = due('running');
  const changed = running.map((record): TaskRecord => ({ ...record, reported: 'running' }));
  const reports = running.map(({ taskId }): TaskReport => ({ taskId, state: 'RUNNING', failure: '' }));
  const failed = due('failed');
  if (failed.length > 0) {
    const folder = jobFolderPath(cluster, phase.remoteJob.username, jobId);
    const taskIds = failed.map(({ taskId }) => taskId);
    const listing = await listFolder(session, folder, taskIds, [TASK_FILES.end]);
    for (const record of failed) {
      const hasEndFile = listing.get(record.taskId)?.has(TASK_FILES.end) === true;
      changed.push(hasEndFile ? { ...record, hasEndFile } : { ...record, reported: 'ended' });
      if (!hasEndFile)
        reports.push({ taskId: record.taskId, state: 'FAILED', failure: writeSchedulerFailure(record.end) });
    }
  }
  const waitingReason = desired === 'run' ? waitingReasonOf(records, observations) : '';
  const isNews = waitingReason !== '' && waitingReason !== submission.waitingReason;
  if (isNews || reports.length > 0) {
    const tasks = reports.length === 0 ? undefined : reports;
    await ports.jobs.reportBatch(jobId, isNews ? { waitingReason, tasks } : { tasks });
  }
  if (isNews) await storeWaiting(ports, submission, waitingReason);
  if (changed.length > 0) await ports.tasks.save(jobId, changed);
  return {
    records: new Map([...records, ...changed.map((record) => [record.taskId, record] as const)]),
    waitingReason,
  };
}

/** Why tasks wait: for something that will not come by itself, or to run again; empty: none does. */
function waitingReasonOf(records: TaskRecords, observations: ReadonlyMap<number, Observation | undefined>): string {
  const open = [...observations].flatMap(([taskId, observation]) => {
    const record = records.get(taskId);
    return record === undefined || record.end !== undefined || observation === undefined
      ? []
      : [{ record, observation }];
  });
  const describe = (tasks: typeof open) =>
    [...new Set(tasks.map(({ observation }) => observation.description))].join('; ');
  const stuck = open.filter(({ record }) => record.stuckSince !== undefined);
  if (stuck.length > 0) return `The scheduler holds it, and it will not start by itself: ${describe(stuck)}`;
  const requeued = open.filter(
    ({ record, observation }) => record.reported === 'running' && observation.state.kind === 'pending',
  );
  if (requeued.length === 0) return '';
  const tasks = requeued.length === 1 ? 'a task' : `${requeued.length} tasks`;
  return `The cluster has stopped ${tasks}, to be run again: ${describe(requeued)}`;
}
