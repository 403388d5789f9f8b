/**
 * How a task output in the form of packages/merge travels in `PutTaskOutput`: described in results_service.proto, and
 * implemented here for all senders.
 */
import type { PageHeader, PageKind, TaskOutputIndex } from '@tally/merge';
import {
  type LogText,
  type PageHeader as PageHeaderMessage,
  PageKind as PageKindMessage,
  type PutTaskOutputRequest,
  type TaskOutputHeader,
  type WholePages,
} from './gen/results/v1/results_service.js';

/** Kinds of pages on the wire. */
export const PAGE_KINDS = {
  linear: PageKindMessage.PAGE_KIND_LINEAR,
  ratio: PageKindMessage.PAGE_KIND_RATIO,
  average: PageKindMessage.PAGE_KIND_AVERAGE,
  counter: PageKindMessage.PAGE_KIND_COUNTER,
  map: PageKindMessage.PAGE_KIND_MAP,
  list: PageKindMessage.PAGE_KIND_LIST,
} as const satisfies Record<PageKind, PageKindMessage>;

const KINDS_OF_MESSAGES = new Map(
  Object.entries(PAGE_KINDS).map(([kind, message]) => [message as PageKindMessage, kind as PageKind]),
);

/** The kind in a message; undefined: none, or one of a later release. */
export function pageKindOf(message: PageKindMessage): PageKind | undefined {
  return KINDS_OF_MESSAGES.get(message);
}

/** What a page is, on the wire. @param estimatorIndex - position of its estimator in the project, from 0 */
export function pageHeaderMessage(page: PageHeader, estimatorIndex: number): PageHeaderMessage {
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

/** The file of a task output: its index, and its bytes in pieces of at most 256 KiB, the contract's limit. */
export interface TaskOutputFile {
  readonly index: TaskOutputIndex;
  read(offsetBytes: number, sizeBytes: number): Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** Whose output it is. */
type Target = Pick<TaskOutputHeader, 'jobId' | 'taskId' | 'attemptId'>;

/** Arrays that travel in one message, bytes, and their remainders with them. */
const WHOLE_BYTES_MAX = 1024 * 1024;

/**
 * The messages of `PutTaskOutput` for such a file and the last of its task's log, each made as it is sent: one of a small output.
 * Fails where the file cannot be read.
 */
export async function* putTaskOutputMessages(
  target: Target,
  file: TaskOutputFile,
  log?: LogText,
): AsyncGenerator<PutTaskOutputRequest> {
  const header = { ...headerOf(target, file), log };
  const { pages, remainders } = file.index;
  if (pages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= WHOLE_BYTES_MAX) {
    yield { part: { $case: 'header', value: { ...header, whole: await readWhole(file) } } };
    return;
  }
  yield { part: { $case: 'header', value: header } };
  for (const { value, chunks } of pagesOf(file)) {
    yield { part: { $case: 'page', value } };
    for await (const chunk of chunks()) yield { part: { $case: 'chunk', value: chunk } };
  }
  if (remainders === undefined) return;
  for await (const chunk of file.read(remainders.offsetBytes, remainders.sizeBytes)) yield { remainders: chunk };
}

async function readWhole(file: TaskOutputFile): Promise<WholePages> {
  const pages = [...pagesOf(file)];
  const content: Buffer[] = [];
  for (const { chunks } of pages) content.push(await joined(chunks()));
  const { remainders: place } = file.index;
  const remainders = place && (await joined(file.read(place.offsetBytes, place.sizeBytes)));
  return { pages: pages.map(({ value }) => value), content: Buffer.concat(content), remainders };
}

async function joined(chunks: ReturnType<TaskOutputFile['read']>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

function headerOf(
  { jobId, taskId, attemptId }: Target,
  { index: { header, pages } }: TaskOutputFile,
): TaskOutputHeader {
  const { primaries, batches, engine, counters, warnings = [] } = header;
  const task = { jobId, taskId, attemptId, primaries: BigInt(primaries), batches, engine };
  return { ...task, counters: { ...counters }, pageCount: pages.length, warnings: [...warnings] };
}

function* pagesOf(file: TaskOutputFile) {
  const estimators = new Map<string, number>();
  for (const page of file.index.pages) {
    const { estimatorName } = page.header;
    const estimatorIndex = estimators.get(estimatorName) ?? estimators.size; // outputs keep the project's order
    estimators.set(estimatorName, estimatorIndex);
    const chunks = () => file.read(page.offsetBytes, page.sizeBytes);
    yield { value: pageHeaderMessage(page.header, estimatorIndex), chunks };
  }
}
