import { arrayLogName, COLLECT_LOG_NAME } from '@tally/batch-helper';
import type { JobFolderPath } from './job-folder-path.js';
import { helperCommand } from './place-job.js';
import type { NodeProgram, SchedulerJob, SchedulerJobId } from './scheduler.js';
import type { StepContext, SubmitStepsPorts } from './step-context.js';
import { type ClusterJob, COLLECT_ORDINAL } from './submission.js';

/** Index of the first task in an array. */
export const FIRST_INDEX = 1;

/** An array, or the collect job, as it is submitted: its options were checked when the submission was accepted. */
export async function makeSchedulerJob(
  { scheduler, programs, limits }: SubmitStepsPorts,
  { cluster, submission }: StepContext,
  { ordinal, marker, firstTask, taskCount }: ClusterJob,
  folder: JobFolderPath,
  afterAny: readonly SchedulerJobId[],
): Promise<SchedulerJob> {
  const helper = helperCommand(cluster, folder, await programs.find());
  const isCollect = ordinal === COLLECT_ORDINAL;
  const { options } = submission;
  const partition = cluster.partitions.find(({ name }) => name === options.partition);
  const { wallTimeSecondsMax = limits.collectWallTimeSeconds, memoryMibMax = limits.collectMemoryMib } =
    partition ?? {};
  const chosen = isCollect
    ? {
        ...options,
        wallTimeSeconds: Math.min(limits.collectWallTimeSeconds, wallTimeSecondsMax),
        memoryMib: Math.min(limits.collectMemoryMib, memoryMibMax),
      }
    : options;
  const program: NodeProgram = isCollect
    ? { argv: [...helper, 'collect', '--folder', folder] }
    : { argv: [...helper, 'run', '--folder', folder, '--task'], taskOffset: firstTask - 1 };
  return {
    marker,
    folder,
    script: scheduler.writeScript(program),
    logName: isCollect ? COLLECT_LOG_NAME : arrayLogName(ordinal, '%a'),
    // half of a short job's time is enough
    warningSeconds: Math.min(limits.warningSeconds, Math.floor(chosen.wallTimeSeconds / 2)),
    options: chosen,
    ...(isCollect ? { afterAny } : { array: { first: FIRST_INDEX, last: taskCount } }),
  };
}
