/**
 * How a task output in the form of packages/merge travels in `PutTaskOutput`: described in results_service.proto, and
 * implemented here for all senders.
 */
import type { PageHeader, PageKind, TaskOutputIndex } from '@tally/merge';
import {
  type LogText,
  type PageHeader as PageHeaderMessage,
  PageKind as PageKindMessage,
  type PutSmallTaskOutputRequest,
  type PutTaskOutputRequest,
  type TaskOutputHeader,
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

/** The messages of `PutTaskOutput` for such a file, each made as it is sent; fails where the file cannot be read. */
export async function* putTaskOutputMessages(
  target: Target,
  file: TaskOutputFile,
): AsyncGenerator<PutTaskOutputRequest> {
  yield { part: { $case: 'header', value: headerOf(target, file) } };
  for (const { value, chunks } of pagesOf(file)) {
    yield { part: { $case: 'page', value } };
    for await (const chunk of chunks()) yield { part: { $case: 'chunk', value: chunk } };
  }
  const { remainders } = file.index;
  if (remainders === undefined) return;
  // an empty chunk: what the release before sees of it
  const part = { $case: 'chunk', value: Buffer.alloc(0) } as const;
  for await (const chunk of file.read(remainders.offsetBytes, remainders.sizeBytes)) yield { part, remainders: chunk };
}

/** Most bytes of arrays that `PutSmallTaskOutput` takes. */
const SMALL_BYTES_MAX = 1024 * 1024;

/** The message of `PutSmallTaskOutput` for such a file and the last of its task's log; undefined: the file is too large. */
export async function putSmallTaskOutputMessage(
  target: Target,
  file: TaskOutputFile,
  log: LogText | undefined,
): Promise<PutSmallTaskOutputRequest | undefined> {
  const bytes = file.index.pages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > SMALL_BYTES_MAX) return undefined;
  const pages = [...pagesOf(file)];
  const content: Buffer[] = [];
  for (const { chunks } of pages) for await (const chunk of chunks()) content.push(chunk);
  const header = headerOf(target, file);
  const remainders = await readRemainders(file);
  return { header, pages: pages.map(({ value }) => value), content: Buffer.concat(content), remainders, log };
}

async function readRemainders(file: TaskOutputFile): Promise<Buffer | undefined> {
  const { remainders } = file.index;
  if (remainders === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of file.read(remainders.offsetBytes, remainders.sizeBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
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
