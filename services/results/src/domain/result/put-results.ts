import { BYTES_PER_NUMBER } from '@tally/merge';
import { binsOf } from '../page/page.js';
import { type PageLimits, pageRules } from '../page/page-rules.js';
import type { InputStore, ResultStore } from '../ports.js';
import { checkUpload, openUpload, type ReceivedPart, requireAny } from '../upload.js';
import { storeUploadedPages } from './final-pages.js';
import { checkResultsHeader, type FinalPageHeader, type ResultsUploadHeader } from './result.js';

/**
 * Stores a job's final results whole or not at all, in place of earlier ones; the same content has the same version.
 * @throws ServiceError UPLOAD_INVALID, PAGE_SHAPE, UPLOAD_TOO_LARGE, JOB_NOT_FOUND, CANCELLED
 */
export async function putResults(
  ports: { readonly inputs: InputStore; readonly results: ResultStore; readonly limits: PageLimits },
  parts: AsyncIterable<ReceivedPart<ResultsUploadHeader, FinalPageHeader>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, rest } = await openUpload(parts);
  checkResultsHeader(header, ports.limits);
  const bytesOf = (page: FinalPageHeader) => (page.hasNoErrors ? 1 : 2) * binsOf(page) * BYTES_PER_NUMBER;
  const rules = pageRules<FinalPageHeader>(ports.limits, bytesOf);
  const checked = requireAny(checkUpload(rest, rules, { count: header.pageCount, signal }));
  const job = await ports.inputs.findJob(header.jobId);
  await ports.results.put(header, storeUploadedPages(header, checked, job?.description));
}
