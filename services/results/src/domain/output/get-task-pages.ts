import { inGroups } from '@tally/service-kit';
import { fail } from '../errors.js';
import { type EstimatorPageHeader, ofTask, type PageKey } from '../page/page.js';
import { placeOf } from '../page/page-set.js';
import type { InputStore, StoredTaskOutput, TaskOutputStore } from '../ports.js';
import { requireJob } from './list-task-pages.js';

/** A piece of an answer: a task with the page as it has it, then the bytes of the page's arrays. */
export type TaskPagePart =
  | { readonly kind: 'task'; readonly output: StoredTaskOutput; readonly page: EstimatorPageHeader }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** Small shares of tasks are read together, up to this many bytes. */
const BYTES_AT_ONCE = 1024 * 1024;

/**
 * One page of several tasks, in ascending task number; no task ids: all tasks.
 * @throws ServiceError JOB_NOT_FOUND, PAGE_NOT_FOUND, CHANGED_WHILE_READ
 */
export async function* getTaskPages(
  { inputs, taskOutputs }: { readonly inputs: InputStore; readonly taskOutputs: TaskOutputStore },
  jobId: string,
  key: PageKey,
  taskIds: readonly number[],
): AsyncGenerator<TaskPagePart> {
  const outputs = await taskOutputs.listOutputs(jobId, taskIds);
  await requireJob(inputs, jobId, outputs);
  const [page] = await taskOutputs.listPageHeaders(jobId, [key]);
  const ranges = outputs.flatMap((output) => {
    const place = placeOf(output, key);
    return place === undefined ? [] : [{ output, ...place }];
  });
  if (page === undefined || ranges.length === 0) throw fail('PAGE_NOT_FOUND');
  for (const group of inGroups(ranges, ({ from, to }) => to - from, BYTES_AT_ONCE)) {
    const [range] = group;
    const together = group.length > 1 ? await taskOutputs.readRanges(group) : undefined;
    for (const [index, { output, from, to }] of group.entries()) {
      yield { kind: 'task', output, page: ofTask(page, to - from) };
      const bytes = together?.[index];
      if (bytes !== undefined) yield { kind: 'bytes', bytes };
    }
    if (together !== undefined || range === undefined) continue;
    for await (const bytes of taskOutputs.readRange(range)) yield { kind: 'bytes', bytes };
  }
}
