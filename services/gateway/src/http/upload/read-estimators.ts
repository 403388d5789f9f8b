import type { FieldFault } from '@tally/service-kit';
import { fail } from '../../errors.js';
import { TakenNumbers } from '../request/number-runs.js';
import { parsePythonJson } from '../request/python-json.js';
import { check, invalid } from '../request/validate.js';
import {
  type UploadedEstimator,
  type UploadedPage,
  uploadedEstimator,
  uploadedPage,
} from '../schemas/uploaded-results.js';

/** Faults after which no more pages are read. */
const FAULTS_MAX = 50;

/**
 * Reads the estimators of an upload.
 * @param bytes - a JSON list in UTF-8, as it was sent but for the numbers that were taken out of it
 * @throws ServiceError REQUEST_INVALID with every fault, BODY_MALFORMED, BODY_TOO_LARGE (more than `pagesMax` pages)
 */
export function readEstimators(
  bytes: Uint8Array,
  pagesMax: number,
  numbers = new TakenNumbers(),
): readonly UploadedEstimator[] {
  const estimators = parsePythonJson(decode(bytes));
  if (!Array.isArray(estimators)) throw fail('BODY_MALFORMED');
  const found = (estimators as readonly unknown[]).map((head) => ({ head, pages: pagesOf(head) }));
  requireFewPages(
    found.reduce((sum, { pages }) => sum + Math.max(1, pages.length), 0), // an estimator has at least one
    pagesMax,
  );
  const faults: FieldFault[] = found.length === 0 ? [{ field: 'estimators', message: 'must not be empty' }] : [];
  const read = found.map(({ head, pages }, index): UploadedEstimator => {
    const place = `estimators/${index}`;
    const checked = check(uploadedEstimator, head, place);
    faults.push(...checked.faults);
    if (pages.length === 0) faults.push({ field: `${place}/pages`, message: 'must have at least one page' });
    const { name = '', file_name } = checked.data ?? {};
    return { name, fileName: file_name ?? name, pages: readPages(pages, numbers, name, `${place}/pages`, faults) };
  });
  if (faults.length > 0) throw invalid(faults);
  return read;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}

/** @throws ServiceError BODY_TOO_LARGE */
export function requireFewPages(pageCount: number, pagesMax: number): void {
  if (pageCount <= pagesMax) return;
  const message = `must have at most ${pagesMax} pages`;
  throw fail('BODY_TOO_LARGE', { message: `The results ${message}`, fields: [{ field: 'estimators', message }] });
}

function pagesOf(estimator: unknown): readonly unknown[] {
  if (typeof estimator !== 'object' || estimator === null || !('pages' in estimator)) return [];
  return Array.isArray(estimator.pages) ? (estimator.pages as readonly unknown[]) : [];
}

function readPages(
  pages: readonly unknown[],
  numbers: TakenNumbers,
  estimator: string,
  place: string,
  faults: FieldFault[],
): UploadedPage[] {
  return pages.flatMap((given, index) => {
    if (faults.length >= FAULTS_MAX) return [];
    const checked = check(uploadedPage, withNumbers(given, numbers), `${place}/${index}`);
    faults.push(...checked.faults);
    if (checked.data === undefined) return [];
    const { pageNumber = index, name = estimator, ...page } = checked.data;
    return [{ ...page, pageNumber, name }];
  });
}

/** A page with its numbers; those in metadata, which is kept as JSON, as it was sent. */
function withNumbers(page: unknown, numbers: TakenNumbers): unknown {
  const whole = numbers.putBack(page);
  if (numbers.isEmpty || typeof whole !== 'object' || whole === null || !('metadata' in whole)) return whole;
  const { metadata } = page as { readonly metadata?: unknown };
  return {
    ...whole,
    metadata: numbers.putBack(metadata, (run) => Array.from(run, (number) => (Number.isNaN(number) ? null : number))),
  };
}
