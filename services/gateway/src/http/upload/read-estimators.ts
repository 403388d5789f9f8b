import type { FieldFault } from '@tally/service-kit';
import { fail } from '../errors.js';
import { TakenNumbers } from '../request/number-runs.js';
import { rawElements, rawMembers } from '../request/raw-members.js';
import { check, invalid } from '../request/validate.js';
import {
  type UploadedEstimator,
  type UploadedPage,
  uploadedEstimator,
  uploadedPage,
} from '../schemas/uploaded-results.js';
import { parsePythonJson } from './python-json.js';

/** Faults after which no more pages are read. */
const FAULTS_MAX = 50;

/**
 * Reads the estimators of an upload. They are split into pages without reading a number, counted, and then read page by
 * page, so that no more than one page at a time exists as text and as numbers.
 * @param bytes - a JSON list in UTF-8, as it was sent but for the numbers that were taken out of it
 * @throws ServiceError REQUEST_INVALID with every fault, BODY_MALFORMED, BODY_TOO_LARGE (more than `pagesMax` pages)
 */
export function readEstimators(
  bytes: Uint8Array,
  pagesMax: number,
  numbers = new TakenNumbers(),
): readonly UploadedEstimator[] {
  const estimators = splitEstimators(decode(bytes), pagesMax);
  const faults: FieldFault[] = estimators.length === 0 ? [{ field: 'estimators', message: 'must not be empty' }] : [];
  const read = estimators.flatMap(({ head, pages }, index): UploadedEstimator[] => {
    const place = `estimators/${index}`;
    const checked = check(uploadedEstimator, head, place);
    faults.push(...checked.faults);
    if (pages.length === 0) faults.push({ field: `${place}/pages`, message: 'must have at least one page' });
    const { name = '', file_name } = checked.data ?? {};
    return [{ name, fileName: file_name ?? name, pages: readPages(pages, numbers, name, `${place}/pages`, faults) }];
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

/** Stops at the first page too many; an estimator has at least one. */
function splitEstimators(text: string, pagesMax: number) {
  let [estimatorCount, pageCount] = [0, 0];
  const countEstimator = () => requireFewPages(++estimatorCount, pagesMax);
  const countPage = () => requireFewPages(++pageCount, pagesMax);
  return rawElements(text, countEstimator).map((estimator) => rawEstimator(estimator, countPage));
}

/** Texts of an estimator's pages; the rest of it is read. */
function rawEstimator(text: string, onPage: () => void) {
  if (!text.startsWith('{')) return { head: parsePythonJson(text), pages: [] };
  const { pages = '[]', ...rest } = Object.fromEntries(rawMembers(text));
  const head = Object.fromEntries(Object.entries(rest).map(([name, raw]) => [name, parsePythonJson(raw)]));
  return { head, pages: pages.startsWith('[') ? rawElements(pages, onPage) : [] };
}

function readPages(
  texts: readonly string[],
  numbers: TakenNumbers,
  estimator: string,
  place: string,
  faults: FieldFault[],
): UploadedPage[] {
  return texts.flatMap((text, index) => {
    if (faults.length >= FAULTS_MAX) return [];
    const checked = check(uploadedPage, withNumbers(parsePythonJson(text), numbers), `${place}/${index}`);
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
