import { pageSizeBytes } from '@tally/merge';
import type { LimitFunction } from 'p-limit';
import { inSlot } from '../in-slot.js';
import { binsOf, type EstimatorPageHeader } from '../page/page.js';
import { decidePages } from '../page/page-agreement.js';
import { type PageLimits, pageRules } from '../page/page-rules.js';
import { layOut } from '../page/page-set.js';
import type { ContentMaker, NewTaskOutput, TaskOutputStore } from '../ports.js';
import { checkUpload, openUpload, type ReceivedPart, requireAny, type UploadPart } from '../upload.js';
import { checkTaskOutputHeader, type TaskOutputHeader } from './task-output.js';

/** What putting the output of a task needs. */
export interface TaskOutputPorts {
  readonly taskOutputs: TaskOutputStore;
  readonly uploads: LimitFunction;
  readonly limits: PageLimits;
}

/** Bytes of the arrays of a page. */
export const momentBytes = (page: EstimatorPageHeader) => pageSizeBytes(page.kind, binsOf(page));

/**
 * Stores one task's output whole or not at all, in place of what the task stored before.
 * @throws ServiceError UPLOAD_INVALID, PAGE_SHAPE, PAGE_MISMATCH, UPLOAD_TOO_LARGE, JOB_NOT_FOUND, CANCELLED
 */
export async function putTaskOutput(
  ports: TaskOutputPorts,
  parts: AsyncIterable<ReceivedPart<TaskOutputHeader, EstimatorPageHeader>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, rest } = await openUpload(parts);
  checkTaskOutputHeader(header, ports.limits);
  const rules = pageRules(ports.limits, momentBytes);
  const checked = requireAny(checkUpload(rest, rules, { count: header.pageCount, signal }));
  await inSlot(ports.uploads, signal, () => storeOutput(ports, header, arraysOf(checked)));
}

/** Stores an output whose pages are known when its bytes are through. */
export async function storeOutput(
  { taskOutputs, limits }: Pick<TaskOutputPorts, 'taskOutputs' | 'limits'>,
  header: TaskOutputHeader,
  arrays: ContentMaker<EstimatorPageHeader[]>,
): Promise<void> {
  await taskOutputs.put(header.jobId, describe(header, arrays), (known, output) =>
    decidePages(known, output.headers, output, limits),
  );
}

async function* describe(
  header: TaskOutputHeader,
  arrays: ContentMaker<EstimatorPageHeader[]>,
): ContentMaker<NewTaskOutput & { headers: EstimatorPageHeader[] }> {
  const headers = yield* arrays;
  return { header, headers, ...layOut(headers) };
}

/** The arrays of all pages in turn. */
async function* arraysOf(parts: AsyncIterable<UploadPart<EstimatorPageHeader>>): ContentMaker<EstimatorPageHeader[]> {
  const headers: EstimatorPageHeader[] = [];
  let at = 0;
  for await (const part of parts) {
    if (part.kind === 'start') headers.push(part.item);
    if (part.kind !== 'bytes') continue;
    yield { at, bytes: part.bytes };
    at += part.bytes.byteLength;
  }
  return headers;
}
