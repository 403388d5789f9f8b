import { TASK_FILES } from '@tally/batch-helper';
import type { ClusterSettings } from './cluster.js';
import { listFolder } from './fetch-folder.js';
import { jobFolderPath } from './job-folder-path.js';
import type { ObservationPorts } from './observation-ports.js';
import type { BatchReport, ClusterSession, TaskReport } from './ports.js';
import type { Observation } from './scheduler.js';
import type { SubmissionIn } from './submission.js';
import { failureText, judgeTask, type TaskRecord } from './task-record.js';
import { COLLECT_TASK_ID, type WatchedTask } from './watched-tasks.js';

/** What one look at the scheduler has shown of the tasks of a job. */
export interface Sighting {
  readonly now: Date;
  seen(task: WatchedTask): Observation | undefined;
}

/**
 * Tells jobs what is new of a job's tasks, and why it waits, by one call and only if there is news. A task that the
 * scheduler calls failed is looked up in the job's folder first, after the scheduler has been asked: when it has written
 * its own end, that counts, and the scheduler's word is not passed on.
 * @returns the records, with what jobs has been told, and why tasks wait at the scheduler; empty: none does. That a job goes
 *   on again is not told here, since it may still wait for something else
 */
export async function reportTasks(
  ports: ObservationPorts,
  session: ClusterSession,
  cluster: ClusterSettings,
  submission: SubmissionIn<'submitted'>,
  watched: readonly WatchedTask[],
  records: ReadonlyMap<number, TaskRecord>,
  look: Sighting,
): Promise<{ readonly records: ReadonlyMap<number, TaskRecord>; readonly waitingReason: string }> {
  const { jobId, phase, isCancelWanted, isDeleteWanted } = submission;
  if (isDeleteWanted) return { records, waitingReason: '' };
  const seen = new Map(watched.map((task) => [task.taskId, look.seen(task)]));
  const context = { now: look.now, graceMs: ports.limits.failureGraceMs, isWanted: !isCancelWanted };
  const ofTasks = [...records.values()].filter(({ taskId }) => taskId !== COLLECT_TASK_ID);
  const judged = ofTasks.map((record) => ({ record, judgement: judgeTask(record, seen.get(record.taskId), context) }));
  const failed = judged.flatMap(({ record, judgement }) => (judgement === 'tell-failed' ? [record] : []));
  const changed: TaskRecord[] = [];
  const reports: TaskReport[] = [];
  for (const { record, judgement } of judged) {
    if (judgement !== 'tell-running') continue;
    reports.push({ taskId: record.taskId, state: 'RUNNING', failure: '' });
    changed.push({ ...record, told: 'running' });
  }
  if (failed.length > 0) {
    const folder = jobFolderPath(cluster, phase.username, jobId);
    const taskIds = failed.map(({ taskId }) => taskId);
    const ends = await listFolder(session, folder, taskIds, [TASK_FILES.end]);
    for (const record of failed) {
      const hasOwnEnd = ends.get(record.taskId)?.has(TASK_FILES.end) === true;
      changed.push(hasOwnEnd ? { ...record, hasOwnEnd } : { ...record, told: 'ended' });
      if (!hasOwnEnd) reports.push({ taskId: record.taskId, state: 'FAILED', failure: failureText(record.end) });
    }
  }
  const waitingReason = isCancelWanted ? '' : whyWaiting(records, seen);
  await tell(ports, submission, reports, waitingReason);
  if (changed.length > 0) await ports.tasks.save(jobId, changed);
  const told = new Map([...records, ...changed.map((record) => [record.taskId, record] as const)]);
  return { records: told, waitingReason };
}

async function tell(
  { jobs, tasks }: ObservationPorts,
  { jobId, waitingReason: toldReason }: SubmissionIn<'submitted'>,
  reports: readonly TaskReport[],
  waitingReason: string,
): Promise<void> {
  const isNews = waitingReason !== '' && waitingReason !== toldReason;
  if (!isNews && reports.length === 0) return;
  const report: BatchReport = {
    ...(isNews ? { waitingReason } : {}),
    ...(reports.length === 0 ? {} : { tasks: reports }),
  };
  await jobs.reportBatch(jobId, report);
  if (isNews) await tasks.setWaiting(jobId, waitingReason);
}

/** Why tasks do not go on: for something that will not come by itself, or to run again; empty: all do. */
function whyWaiting(
  records: ReadonlyMap<number, TaskRecord>,
  seen: ReadonlyMap<number, Observation | undefined>,
): string {
  const open = [...seen].flatMap(([taskId, observation]) => {
    const record = records.get(taskId);
    return record === undefined || record.end !== undefined || observation === undefined
      ? []
      : [{ record, observation }];
  });
  const wordsOf = (tasks: typeof open) =>
    [...new Set(tasks.map(({ observation }) => observation.description))].join('; ');
  const held = open.filter(({ record }) => record.stuckSince !== undefined);
  if (held.length > 0) return `The scheduler holds it, and it will not start by itself: ${wordsOf(held)}`;
  const again = open.filter(
    ({ record, observation }) => record.told === 'running' && observation.state.kind === 'pending',
  );
  if (again.length === 0) return '';
  const tasks = again.length === 1 ? 'a task' : `${again.length} tasks`;
  return `The cluster has stopped ${tasks}, to be run again: ${wordsOf(again)}`;
}
