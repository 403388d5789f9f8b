import { createHash } from 'node:crypto';
import { BYTES_PER_NUMBER } from '@tally/merge';
import { encodeResults } from './encode-results.js';
import { binsOf, type EstimatorPageHeader } from './page.js';
import { type PageLimits, pageRules } from './page-rules.js';
import type { ResultStore } from './ports.js';
import { requireAny } from './put-task-output.js';
import { checkResultsHeader, type FinalPageHeader, type ResultsUploadHeader } from './result.js';
import { inSlot, type Slots } from './slots.js';
import { checkThings, openUpload, type UploadPart } from './upload.js';

/**
 * Stores a job's final results whole or not at all, in place of earlier ones; the same content has the same version.
 * @throws ServiceError UPLOAD_INVALID, PAGE_SHAPE, UPLOAD_TOO_LARGE, JOB_NOT_FOUND, CANCELLED
 */
export async function putResults(
  ports: { readonly results: ResultStore; readonly uploads: Slots; readonly limits: PageLimits },
  parts: AsyncIterable<UploadPart<ResultsUploadHeader, FinalPageHeader>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, rest } = await openUpload(parts);
  checkResultsHeader(header, ports.limits);
  const { primaries, taskCount, isPartial, engine, warnings } = header;
  const hash = createHash('sha256').update(JSON.stringify([primaries, taskCount, isPartial, engine, warnings]));
  const bytesOf = (page: EstimatorPageHeader) => 2 * binsOf(page) * BYTES_PER_NUMBER;
  const rules = pageRules(ports.limits, bytesOf, { count: header.pageCount, signal });
  const checked = requireAny(checkThings<FinalPageHeader>(rest, rules));
  const pages = encodeResults(checked, hash);
  await inSlot(ports.uploads, signal, () => ports.results.put(header, pages, () => hash.copy().digest('hex')));
}
