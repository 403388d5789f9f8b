import { results } from '@tally/contracts';
import {
  MergeError,
  type PageHeader,
  type PageKind,
  readTaskOutputIndex,
  type TaskOutputIndex,
  taskOutputHeaderBytes,
} from '@tally/merge';
import { type Base64Bytes, base64Bytes } from './base64-bytes.js';
import { fail } from './errors.js';

/** A task output in the form of packages/merge, of which only the header has been read. */
export interface UploadedTaskOutput {
  readonly index: TaskOutputIndex;
  readonly bytes: Base64Bytes;
}

const FIELD = 'task_output';
/** Bytes of one message of the stream at most; see results_service.proto. */
const CHUNK_BYTES = 256 * 1024;
/** What says how long the header of the file is, bytes. */
const PREAMBLE_BYTES = 16;
/** Longest header, bytes: it is parsed at once, and names pages and bin centres only. */
const HEADER_BYTES_MAX = 8_000_000;

/**
 * Reads what a task output says of itself.
 * @param text - the base64 JSON string as it was sent
 * @param primaries - what the request says; the output must say the same
 * @throws ServiceError REQUEST_INVALID
 */
export function readTaskOutput(text: string, primaries: number): UploadedTaskOutput {
  const bytes = base64Bytes(text, FIELD);
  const index = orInvalid(() => readIndex(bytes));
  if (index.totalBytes !== bytes.sizeBytes) {
    throw invalid(`has ${bytes.sizeBytes} bytes instead of the ${index.totalBytes} that it announces`);
  }
  if (index.header.primaries !== primaries) {
    const message = `must be ${index.header.primaries}, as task_output says`;
    throw fail('REQUEST_INVALID', {
      message: `The request is not valid: primaries ${message}`,
      fields: [{ field: 'primaries', message }],
    });
  }
  return { index, bytes };
}

function readIndex(bytes: Base64Bytes): TaskOutputIndex {
  const headerBytes = taskOutputHeaderBytes(bytes.slice(0, Math.min(PREAMBLE_BYTES, bytes.sizeBytes)));
  if (headerBytes > HEADER_BYTES_MAX) throw invalid(`has a header of more than ${HEADER_BYTES_MAX} bytes`);
  return readTaskOutputIndex(bytes.slice(0, Math.min(headerBytes, bytes.sizeBytes)));
}

function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (err) {
    if (err instanceof MergeError) throw invalid(`cannot be taken: ${err.message}`, err);
    throw err;
  }
}

function invalid(message: string, cause?: unknown) {
  return fail('REQUEST_INVALID', {
    message: `The request is not valid: ${FIELD} ${message}`,
    fields: [{ field: FIELD, message }],
    cause,
  });
}

/**
 * The output as results takes it, decoded as it is sent.
 * @throws ServiceError REQUEST_INVALID on the way, when a part is not base64: results then stores nothing
 */
export async function* uploadedOutputMessages(
  target: Pick<results.TaskOutputHeader, 'jobId' | 'taskId' | 'attemptId'>,
  { index, bytes }: UploadedTaskOutput,
): AsyncGenerator<results.PutTaskOutputRequest> {
  const { primaries, batches, engine, counters } = index.header;
  const header = { ...target, primaries: BigInt(primaries), batches, engine, counters: { ...counters } };
  yield { part: { $case: 'header', value: { ...header, pageCount: index.pages.length } } };
  const estimators = new Map<string, number>();
  for (const page of index.pages) {
    const { estimatorName } = page.header;
    const estimatorIndex = estimators.get(estimatorName) ?? estimators.size; // outputs keep the project's order
    estimators.set(estimatorName, estimatorIndex);
    yield { part: { $case: 'page', value: toPageHeader(page.header, estimatorIndex) } };
    const end = page.offsetBytes + page.sizeBytes;
    for (let from = page.offsetBytes; from < end; from += CHUNK_BYTES) {
      yield { part: { $case: 'chunk', value: bytes.slice(from, Math.min(from + CHUNK_BYTES, end)) } };
    }
  }
}

const PAGE_KINDS = {
  linear: results.PageKind.PAGE_KIND_LINEAR,
  ratio: results.PageKind.PAGE_KIND_RATIO,
  average: results.PageKind.PAGE_KIND_AVERAGE,
  counter: results.PageKind.PAGE_KIND_COUNTER,
  map: results.PageKind.PAGE_KIND_MAP,
  list: results.PageKind.PAGE_KIND_LIST,
} as const satisfies Record<PageKind, results.PageKind>;

function toPageHeader(page: PageHeader, estimatorIndex: number): results.PageHeader {
  const { estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes, recordCount } = page;
  return {
    estimatorIndex,
    estimatorName,
    fileName,
    pageNumber,
    pageName,
    kind: PAGE_KINDS[kind],
    unit,
    scale,
    axes: axes.map((axis) => ({ name: axis.name, unit: axis.unit, centers: [...axis.centers] })),
    recordCount: recordCount === undefined ? undefined : BigInt(recordCount),
  };
}
