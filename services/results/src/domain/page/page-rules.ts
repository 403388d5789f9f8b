import { fail } from '../errors.js';
import type { ItemRules } from '../upload.js';
import { binsOf, describePage, type EstimatorPageHeader } from './page.js';

/** Bounds on what an upload of pages may hold. */
export interface PageLimits {
  readonly pagesMax: number;
  readonly pageBinsMax: number;
  /** Over all axes of all pages of the upload. */
  readonly axisCentersMax: number;
  /** All arrays together. */
  readonly uploadBytesMax: number;
  /** What a sender may say of a page beside its numbers, JSON text. */
  readonly pageMetadataBytesMax: number;
  readonly nameCharactersMax: number;
}

/** More axes than any simulator has. */
const AXES_MAX = 8;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Rules for the pages of one upload; they remember what has passed, so make new ones for each.
 * @param bytesOf - how many bytes of arrays a page brings
 * @param listsBins - numbered bins will be a list of centres
 */
export function pageRules<Page extends EstimatorPageHeader & { readonly metadataJson?: string }>(
  limits: PageLimits,
  bytesOf: (header: Page) => number,
  { listsBins = false } = {},
): ItemRules<Page> {
  const seenPages = new Set<string>();
  const nameOfIndex = new Map<number, string>();
  const indexOfName = new Map<string, number>();
  let centers = 0;
  return {
    check(header) {
      checkHeader(header, limits);
      if (Buffer.byteLength(header.metadataJson ?? '') > limits.pageMetadataBytesMax) {
        throw tooLarge(`${describePage(header)} has more than ${limits.pageMetadataBytesMax} bytes of metadata`);
      }
      centers += header.axes.reduce((sum, axis) => sum + axis.centers.length, 0);
      if (listsBins) centers += header.numberedBins ?? 0;
      if (centers > limits.axisCentersMax) throw tooLarge(`more than ${limits.axisCentersMax} bin centres`);
      const { estimatorIndex, estimatorName, pageNumber } = header;
      const key = `${estimatorIndex}/${pageNumber}`;
      if (seenPages.has(key)) throw invalid(header, 'occurs twice');
      seenPages.add(key);
      const isSameEstimator =
        (nameOfIndex.get(estimatorIndex) ?? estimatorName) === estimatorName &&
        (indexOfName.get(estimatorName) ?? estimatorIndex) === estimatorIndex;
      if (!isSameEstimator) throw invalid(header, `has estimator ${estimatorIndex}, which another name has too`);
      nameOfIndex.set(estimatorIndex, estimatorName);
      indexOfName.set(estimatorName, estimatorIndex);
      return bytesOf(header);
    },
    sizeError: (header, expectedBytes) =>
      fail('PAGE_SHAPE', { message: `${describePage(header)} takes exactly ${expectedBytes} bytes` }),
    countMax: limits.pagesMax,
    noun: 'pages',
    bytesMax: limits.uploadBytesMax,
  };
}

function checkHeader(header: EstimatorPageHeader, limits: PageLimits): void {
  if (!isName(header.estimatorName, limits) || header.estimatorName === '') {
    throw fail('UPLOAD_INVALID', { message: 'An estimator needs a name of one line' });
  }
  const texts = [
    header.fileName,
    header.pageName,
    header.unit,
    ...header.axes.flatMap(({ name, unit }) => [name, unit]),
  ];
  if (!texts.every((text) => isName(text, limits))) {
    throw invalid(header, `has a name that is not one line of at most ${limits.nameCharactersMax} characters`);
  }
  if (header.estimatorIndex < 0 || header.estimatorIndex >= limits.pagesMax) throw invalid(header, 'has a wrong index');
  if (header.pageNumber < 0) throw invalid(header, 'has a wrong number');
  if (!Number.isFinite(header.scale)) throw invalid(header, 'has no finite scale');
  if (header.axes.length > AXES_MAX) throw invalid(header, `has more than ${AXES_MAX} axes`);
  for (const { centers } of header.axes) {
    if (centers.length === 0) throw invalid(header, 'has an axis without bins');
    if (!centers.every(Number.isFinite)) throw invalid(header, 'has a bin centre that is not finite');
  }
  const isCounted = Number.isSafeInteger(header.recordCount) && (header.recordCount ?? -1) >= 0;
  const isList = isCounted && header.axes.length === 1 && header.numberedBins === undefined;
  if (header.kind === 'list' ? !isList : header.recordCount !== undefined) {
    throw invalid(header, 'has an impossible number of records, or no columns');
  }
  if (header.numberedBins !== undefined && !(Number.isSafeInteger(header.numberedBins) && header.numberedBins > 0)) {
    throw invalid(header, 'has an impossible number of bins');
  }
  if (binsOf(header) > limits.pageBinsMax) {
    throw tooLarge(`${describePage(header)} has more than ${limits.pageBinsMax} bins`);
  }
}

/** One line of text that the database can hold. */
export function isName(text: string, limits: Pick<PageLimits, 'nameCharactersMax'>): boolean {
  return text.length <= limits.nameCharactersMax && !CONTROL.test(text);
}

function invalid(header: EstimatorPageHeader, problem: string): Error {
  return fail('UPLOAD_INVALID', { message: `${describePage(header)} ${problem}` });
}

function tooLarge(problem: string): Error {
  return fail('UPLOAD_TOO_LARGE', { message: `The upload is too large: ${problem}` });
}
