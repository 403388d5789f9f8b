import { pageSizeBytes } from '@tally/merge';
import { fail } from './errors.js';
import { binsOf, type EstimatorPageHeader } from './page.js';
import { type PageLimits, pageRules } from './page-rules.js';
import type { TaskOutputStore } from './ports.js';
import { inSlot, type Slots } from './slots.js';
import { checkTaskOutputHeader, type TaskOutputHeader } from './task-output.js';
import { checkThings, openUpload, type ThingEvent, type UploadPart } from './upload.js';

/**
 * Stores one task's output whole or not at all, in place of what the task stored before.
 * @throws ServiceError UPLOAD_INVALID, PAGE_SHAPE, PAGE_MISMATCH, UPLOAD_TOO_LARGE, JOB_NOT_FOUND, CANCELLED
 */
export async function putTaskOutput(
  ports: { readonly taskOutputs: TaskOutputStore; readonly uploads: Slots; readonly limits: PageLimits },
  parts: AsyncIterable<UploadPart<TaskOutputHeader, EstimatorPageHeader>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, rest } = await openUpload(parts);
  checkTaskOutputHeader(header, ports.limits);
  const bytesOf = (page: EstimatorPageHeader) => pageSizeBytes(page.kind, binsOf(page));
  const rules = pageRules(ports.limits, bytesOf, { count: header.pageCount, signal });
  const pages = requireAny(checkThings(rest, rules));
  await inSlot(ports.uploads, signal, () => ports.taskOutputs.put(header, pages));
}

/** Passes pages on. @throws ServiceError UPLOAD_INVALID when there is none: a run without any result has failed */
export async function* requireAny<Thing, Summary>(
  events: AsyncIterable<ThingEvent<Thing, Summary>>,
): AsyncGenerator<ThingEvent<Thing, Summary>> {
  let isEmpty = true;
  for await (const event of events) {
    isEmpty = false;
    yield event;
  }
  if (isEmpty) throw fail('UPLOAD_INVALID', { message: 'The upload has no page' });
}
