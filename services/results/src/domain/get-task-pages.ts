import { fail } from './errors.js';
import { requireJob } from './job-access.js';
import { type EstimatorPageHeader, ofTask, type PageKey } from './page.js';
import type { InputStore, TaskOutputStore, TaskPageBytes } from './ports.js';

/**
 * One page of several tasks, in ascending task number; no task ids: all tasks.
 * @throws ServiceError JOB_NOT_FOUND, PAGE_NOT_FOUND, CHANGED_WHILE_READ
 */
export async function* getTaskPages(
  ports: { readonly inputs: InputStore; readonly taskOutputs: TaskOutputStore },
  jobId: string,
  key: PageKey,
  taskIds: readonly number[],
): AsyncGenerator<TaskPageBytes & { readonly page: EstimatorPageHeader }> {
  await requireJob(ports.inputs, jobId, { kind: 'runner' });
  const outputs = await ports.taskOutputs.listOutputs(jobId, taskIds);
  const [page] = await ports.taskOutputs.listPageHeaders(jobId, [key]);
  if (page === undefined || outputs.length === 0) throw fail('PAGE_NOT_FOUND');
  let isFound = false;
  for await (const part of ports.taskOutputs.readPage(page, outputs)) {
    isFound = true;
    yield { ...part, page: part.kind === 'task' ? ofTask(page, part.sizeBytes) : page };
  }
  if (!isFound) throw fail('PAGE_NOT_FOUND');
}
