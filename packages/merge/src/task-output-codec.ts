import { MergeError } from './merge-error.js';
import { countBins, decodeMoments, encodeMoments, pageSizeBytes } from './page-moments.js';
import type { PageHeader, TaskOutput } from './task-output.js';
import { parseTaskOutputHeader, type TaskOutputHeader } from './task-output-header.js';

/*
 * Layout of the file: 8 bytes magic · uint32 LE length of the JSON · uint32 zero · JSON (UTF-8, the output without its
 * arrays), padded with blanks to a multiple of 8 · the moments of each page in turn, little-endian float64 · where the header
 * says so, the remainders of all of them in the same places.
 * The sizes of the arrays follow from the axes in the JSON, of lists from their number of records too, so nothing can
 * disagree about them.
 */
const MAGIC = new TextEncoder().encode('TALLYOUT');
const PREAMBLE_BYTES = 16;
const ALIGNMENT_BYTES = 8;

/** Where a page's moments lie in the file. */
export interface PageLocation {
  readonly header: PageHeader;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** The readable part of a task output file: enough to read or send it page by page. */
export interface TaskOutputIndex {
  readonly header: TaskOutputHeader;
  readonly pages: readonly PageLocation[];
  /** Where the remainders of all pages lie, in the same order and as many bytes; none: they are not known. */
  readonly remainders?: Omit<PageLocation, 'header'>;
  /** Size of the whole file. */
  readonly totalBytes: number;
}

/** The file of one task's output, and what {@link readTaskOutputIndex} would read from it. */
export interface WrittenTaskOutput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly index: TaskOutputIndex;
}

/** The file of one task's output. @throws as {@link writeTaskOutput} */
export function encodeTaskOutput(output: TaskOutput): Uint8Array<ArrayBuffer> {
  return writeTaskOutput(output).bytes;
}

/** @throws MergeError `MALFORMED` on a header that could not be read back, `INVALID_PART` on arrays that do not fit it */
export function writeTaskOutput(output: TaskOutput): WrittenTaskOutput {
  const hasRemainders = output.pages.some(({ remainders }) => remainders !== undefined);
  const header = parseTaskOutputHeader({ ...output, hasRemainders });
  const json = new TextEncoder().encode(JSON.stringify(header));
  const index = indexPages(header, align(PREAMBLE_BYTES + json.byteLength));
  const bytes = new Uint8Array(index.totalBytes);
  bytes.set(MAGIC);
  new DataView(bytes.buffer).setUint32(MAGIC.byteLength, json.byteLength, true);
  bytes.set(json, PREAMBLE_BYTES);
  bytes.fill(0x20, PREAMBLE_BYTES + json.byteLength, align(PREAMBLE_BYTES + json.byteLength));
  for (const [position, page] of output.pages.entries()) {
    const location = index.pages[position];
    if (location === undefined) throw new MergeError('MALFORMED', 'the list of pages changed while it was written');
    bytes.set(encodeMoments(page.kind, countBins(page), page.moments), location.offsetBytes);
    if (index.remainders === undefined || page.remainders === undefined) continue;
    const offsetBytes = remaindersOffset(index.remainders, index.pages, location);
    bytes.set(encodeMoments(page.kind, countBins(page), page.remainders), offsetBytes);
  }
  return { bytes, index };
}

/**
 * Reads back {@link encodeTaskOutput}. Allocates no more than a small multiple of `bytes.byteLength`, whatever they say.
 * @throws MergeError `FOREIGN`, `TRUNCATED` or `MALFORMED`
 */
export function decodeTaskOutput(bytes: Uint8Array): TaskOutput {
  const { header, pages, remainders, totalBytes } = readTaskOutputIndex(bytes);
  if (bytes.byteLength < totalBytes) throw truncated(totalBytes, bytes.byteLength);
  if (bytes.byteLength > totalBytes) {
    throw new MergeError('MALFORMED', `task output: ${bytes.byteLength - totalBytes} bytes after its end`);
  }
  const read = ({ header: { kind, ...page }, sizeBytes }: PageLocation, offsetBytes: number) =>
    decodeMoments(kind, countBins(page), bytes.subarray(offsetBytes, offsetBytes + sizeBytes));
  const { hasRemainders: _, ...facts } = header;
  return {
    ...facts,
    pages: pages.map((page) => ({
      ...page.header,
      moments: read(page, page.offsetBytes),
      ...(remainders && { remainders: read(page, remaindersOffset(remainders, pages, page)) }),
    })),
  };
}

/**
 * Reads the header from the beginning of a file; `bytes` need not reach beyond it.
 * @throws MergeError `FOREIGN`, `TRUNCATED` (fewer than `taskOutputHeaderBytes` bytes) or `MALFORMED`
 */
export function readTaskOutputIndex(bytes: Uint8Array): TaskOutputIndex {
  const headerBytes = taskOutputHeaderBytes(bytes);
  if (bytes.byteLength < headerBytes) throw truncated(headerBytes, bytes.byteLength);
  return indexPages(parseTaskOutputHeader(parseJson(bytes.subarray(PREAMBLE_BYTES, headerBytes))), headerBytes);
}

/**
 * How many bytes from the beginning of a file hold its header, told by its first 16 bytes.
 * @throws MergeError `FOREIGN` or `TRUNCATED`
 */
export function taskOutputHeaderBytes(bytes: Uint8Array): number {
  const isOurs = MAGIC.every((byte, position) => position >= bytes.byteLength || bytes[position] === byte);
  if (!isOurs) throw new MergeError('FOREIGN', 'these bytes are not a task output');
  if (bytes.byteLength < PREAMBLE_BYTES) throw truncated(PREAMBLE_BYTES, bytes.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return align(PREAMBLE_BYTES + view.getUint32(MAGIC.byteLength, true));
}

function indexPages(header: TaskOutputHeader, headerBytes: number): TaskOutputIndex {
  let offsetBytes = headerBytes;
  const pages = header.pages.map((page) => {
    const location = { header: page, offsetBytes, sizeBytes: pageSizeBytes(page.kind, countBins(page)) };
    offsetBytes += location.sizeBytes;
    return location;
  });
  if (header.hasRemainders !== true) return { header, pages, totalBytes: offsetBytes };
  const sizeBytes = offsetBytes - headerBytes;
  return { header, pages, remainders: { offsetBytes, sizeBytes }, totalBytes: offsetBytes + sizeBytes };
}

/** Where the remainders of a page begin. */
function remaindersOffset(
  remainders: Omit<PageLocation, 'header'>,
  pages: readonly PageLocation[],
  page: PageLocation,
): number {
  return remainders.offsetBytes + page.offsetBytes - (pages[0]?.offsetBytes ?? 0);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new MergeError('MALFORMED', 'task output: its header is not JSON', { cause: error });
  }
}

function truncated(expectedBytes: number, actualBytes: number): MergeError {
  return new MergeError('TRUNCATED', `task output: ${expectedBytes} bytes announced, ${actualBytes} there`);
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}
