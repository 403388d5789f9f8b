import { createHash } from 'node:crypto';
import { chunksOf } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { Reader } from '../job-access.js';
import { arraysOf, type NumberPage } from '../page/number-page.js';
import { describePage } from '../page/page.js';
import type { PagePart } from '../page/page-view.js';
import type { PageSelection } from '../page/selection.js';
import type { InputStore } from '../ports.js';
import { geometryKeyOf } from './geometry-key.js';
import { openResults, type ReadableResultsPorts, selectPages } from './readable-results.js';
import type { StoredResults } from './result.js';

/** Formats beside JSON. */
export type ExportFormat = 'csv' | 'hdf5' | 'npz' | 'dicom' | 'float64';

interface FormatFacts {
  readonly mediaType: string;
  readonly extension: string;
  /** Else it holds any number. */
  readonly isOfOnePage: boolean;
  /** It has no place for what was simulated. */
  readonly isSilent?: true;
}

const FORMATS: Readonly<Record<ExportFormat, FormatFacts>> = {
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', extension: 'csv', isOfOnePage: false },
  hdf5: { mediaType: 'application/x-hdf5', extension: 'h5', isOfOnePage: false },
  npz: { mediaType: 'application/zip', extension: 'npz', isOfOnePage: false },
  dicom: { mediaType: 'application/dicom', extension: 'dcm', isOfOnePage: true, isSilent: true },
  float64: { mediaType: 'application/octet-stream', extension: 'f64', isOfOnePage: true, isSilent: true },
};

/** Results as numbers: what a file is written from. */
export interface NumberResults {
  readonly header: StoredResults;
  /** In order of estimator and page number; those of one estimator follow each other. */
  readonly pages: readonly NumberPage[];
  /** Where the format leaves it to the reader: whether the file says what was simulated. */
  readonly hasDescription: boolean;
  /** Of DICOM: primaries that a dose is to be of whose page is per primary; undefined: one. */
  readonly particles?: number | undefined;
  /** What jobs with one geometry have in common, see {@link geometryKeyOf}. */
  readonly geometryKey: () => Promise<string>;
}

/** The file that is asked for. */
export interface WantedFile extends Pick<NumberResults, 'hasDescription' | 'particles'> {
  readonly format: ExportFormat;
}

/**
 * Writes the bytes of a file. Holds a few MiB, whatever the results have, beside a whole axis.
 * @throws ServiceError FORMAT_UNSUITABLE before the first byte
 */
export type FileWriter = (results: NumberResults) => AsyncIterable<Uint8Array>;

export interface ExportPorts extends ReadableResultsPorts {
  readonly inputs: InputStore;
  readonly fileWriters: Readonly<Record<ExportFormat, FileWriter>>;
}

/** A piece of an answer: the header, then the bytes of the file. */
export type ExportPart =
  | {
      readonly kind: 'header';
      readonly header: StoredResults;
      readonly pageCount: number;
      readonly mediaType: string;
      readonly fileName: string;
      /** What the page is, where nothing in the file says it. */
      readonly pageJson: string;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** Largest message of a stream. */
const CHUNK_BYTES_MAX = 256 * 1024;

/**
 * Results of a job, whole or in part, as a file.
 * @throws ServiceError as getResults does, and FORMAT_UNSUITABLE
 */
export async function* exportResults(
  ports: ExportPorts,
  jobId: string,
  selection: PageSelection,
  part: PagePart,
  { format, ...wanted }: WantedFile,
  reader: Reader,
): AsyncGenerator<ExportPart> {
  const results = await openResults(ports, jobId, reader);
  const selected = selectPages(results, selection);
  const { mediaType, extension, isOfOnePage, isSilent } = FORMATS[format];
  if (isOfOnePage && selected.length !== 1) {
    const message = `${format} is a format of one page, and ${selected.length} are selected: name estimator_name and page_number`;
    throw fail('FORMAT_UNSUITABLE', { message });
  }
  if (wanted.hasDescription && isSilent) {
    throw fail('FORMAT_UNSUITABLE', { message: `${format} has no place for the description of a job` });
  }
  const pages: NumberPage[] = [];
  for (const page of selected) pages.push(await page.view(part));
  const [only] = pages;
  const pageJson = format === 'float64' && only !== undefined ? JSON.stringify(describeArray(only)) : '';
  const { header } = results;
  const fileName = `${jobId}${nameOfPart(selection, isOfOnePage ? only : undefined)}.${extension}`;
  yield { kind: 'header', header, pageCount: pages.length, mediaType, fileName, pageJson };
  const geometryKey = () => geometryKeyOf(ports.inputs, jobId, reader);
  for await (const bytes of ports.fileWriters[format]({ header, pages, ...wanted, geometryKey })) {
    for (const chunk of chunksOf(bytes, CHUNK_BYTES_MAX)) yield { kind: 'bytes', bytes: chunk };
  }
}

/** Of the name of an estimator in a file name: with the id of the job, no longer than file systems take. */
const NAME_LENGTH_MAX = 150;

function nameOfPart({ estimatorName }: PageSelection, page: NumberPage | undefined): string {
  const name = page?.estimatorName ?? estimatorName;
  if (name === undefined) return '';
  return `-${name.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, NAME_LENGTH_MAX)}${page === undefined ? '' : `-${page.pageNumber}`}`;
}

/** What the bytes of a page alone do not say; `shape` is that of a row-major array, the slowest axis first. */
function describeArray(page: NumberPage) {
  const { estimatorName, pageNumber, pageName, unit, axes, errorBatches } = page;
  const arrays = arraysOf(page).map(({ name }) => name);
  return {
    estimator: estimatorName,
    page_number: pageNumber,
    name: pageName,
    unit,
    dtype: '<f8',
    arrays,
    shape: [arrays.length, ...axes.map(({ size }) => size).toReversed()],
    axes: axes.map(({ name, unit: axisUnit }) => ({ name, unit: axisUnit })),
    error_batches: errorBatches,
  };
}

/** What a file says of where its numbers are from. */
export function provenanceOf(header: StoredResults) {
  const { jobId, description, primaries, taskCount, isPartial, engine, warnings, version } = header;
  return {
    job_id: jobId,
    ...(description === undefined ? {} : { description }),
    primaries,
    tasks_merged: taskCount,
    partial: isPartial,
    engine,
    warnings,
    version,
  };
}

/** A unique id that is the same for the same facts, as DICOM makes one of a UUID (ITU-T X.667, PS3.5 B.2). */
export function uniqueIdOf(...facts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return `2.25.${BigInt(`0x${hash.subarray(0, 16).toString('hex')}`)}`;
}

/** @throws ServiceError FORMAT_UNSUITABLE naming the page */
export function unsuitable(page: NumberPage, why: string): Error {
  return fail('FORMAT_UNSUITABLE', { message: `${describePage(page)}: ${why}` });
}
