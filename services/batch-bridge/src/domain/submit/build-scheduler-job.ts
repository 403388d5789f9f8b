import { arrayLogName, COLLECT_LOG_NAME } from '@tally/batch-helper';
import type { JobFolderPath } from '../job-folder-path.js';
import type { WorkerPorts } from '../ports.js';
import type { NodeProgram, SchedulerJobId, SchedulerJobSpec } from '../scheduler.js';
import { isCollect as isCollectJob, markerOf, type SchedulerJob } from '../submission.js';
import type { SubmitContext } from './submit-context.js';
import { helperCommand } from './upload-job.js';

/** Index of the first task in an array. */
export const FIRST_INDEX = 1;

/** An array, or the collect job, as it is submitted: its options were checked when the submission was accepted. */
export async function buildSchedulerJob(
  { scheduler, programs, limits }: WorkerPorts,
  { cluster, submission: { jobId, options } }: SubmitContext,
  schedulerJob: SchedulerJob,
  folder: JobFolderPath,
  afterAny: readonly SchedulerJobId[],
): Promise<SchedulerJobSpec> {
  const { ordinal, firstTask, taskCount } = schedulerJob;
  const helper = helperCommand(cluster, folder, await programs.find());
  const isCollect = isCollectJob(schedulerJob);
  const partition = cluster.partitions.find(({ name }) => name === options.partition);
  const { wallTimeSecondsMax = Infinity, memoryMibMax = Infinity } = partition ?? {};
  const collectOptions = {
    ...options,
    wallTimeSeconds: Math.min(limits.collectWallTimeSeconds, wallTimeSecondsMax),
    memoryMib: Math.min(limits.collectMemoryMib, memoryMibMax),
  };
  const jobOptions = isCollect ? collectOptions : options;
  const program: NodeProgram = isCollect
    ? { argv: [...helper, 'collect', '--folder', folder] }
    : { argv: [...helper, 'run', '--folder', folder, '--task'], taskOffset: firstTask - 1 };
  return {
    marker: markerOf(jobId, ordinal),
    folder,
    script: scheduler.writeScript(program),
    logName: isCollect ? COLLECT_LOG_NAME : arrayLogName(ordinal, '%a'),
    // half of a short job's time is enough
    warningSeconds: Math.min(limits.warningSeconds, Math.floor(jobOptions.wallTimeSeconds / 2)),
    options: jobOptions,
    ...(isCollect ? { afterAny } : { array: { first: FIRST_INDEX, last: taskCount } }),
  };
}
