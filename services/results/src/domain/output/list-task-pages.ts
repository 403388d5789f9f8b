import { joinWarnings, type OutputWarning } from '@tally/merge';
import { fail } from '../errors.js';
import type { EstimatorPageHeader } from '../page/page.js';
import { hasPage } from '../page/page-set.js';
import type { InputStore, StoredTaskOutput, TaskOutputStore } from '../ports.js';

/** What the tasks of a job have stored, taken together. */
export interface TaskPages {
  /** In order of estimator and page number. */
  readonly pages: readonly EstimatorPageHeader[];
  /** Ascending. */
  readonly taskIds: readonly number[];
  readonly primaries: number;
  readonly engine: string;
  readonly warnings: readonly OutputWarning[];
}

/**
 * Which pages these tasks have stored; no task ids: all tasks.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function listTaskPages(
  { inputs, taskOutputs }: { readonly inputs: InputStore; readonly taskOutputs: TaskOutputStore },
  jobId: string,
  taskIds: readonly number[],
): Promise<TaskPages> {
  const { outputs, pages: all } = await taskOutputs.listOutputsAndPages(jobId, taskIds);
  await requireJob(inputs, jobId, outputs);
  const keys = all.filter((page) => hasPage(outputs, page));
  const pages = await taskOutputs.listPageHeaders(jobId, keys);
  return { pages, taskIds: outputs.map((output) => output.taskId), ...joinOutputs(outputs) };
}

/** Outputs go with their job: only where none was found the job may be missing. @throws ServiceError JOB_NOT_FOUND */
export async function requireJob(
  inputs: InputStore,
  jobId: string,
  outputs: readonly StoredTaskOutput[],
): Promise<void> {
  if (outputs.length === 0 && (await inputs.findJob(jobId)) === undefined) throw fail('JOB_NOT_FOUND');
}

/** Histories of all tasks, who computed them and warnings: each once. */
export function joinOutputs(
  outputs: readonly StoredTaskOutput[],
): Pick<TaskPages, 'primaries' | 'engine' | 'warnings'> {
  return {
    primaries: outputs.reduce((sum, output) => sum + output.primaries, 0),
    engine: [...new Set(outputs.map((output) => output.engine))].join(', '),
    warnings: joinWarnings(outputs.map((output) => output.warnings)),
  };
}
