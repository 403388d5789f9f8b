/**
 * How a task output in the form of packages/merge travels in `PutTaskOutput`: described in results_service.proto, and
 * implemented here for all senders.
 */
import type { PageHeader, PageKind, TaskOutputIndex } from '@tally/merge';
import {
  type PageHeader as PageHeaderMessage,
  PageKind as PageKindMessage,
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

/** The messages of `PutTaskOutput` for such a file, each made as it is sent; fails where the file cannot be read. */
export async function* putTaskOutputMessages(
  target: Pick<TaskOutputHeader, 'jobId' | 'taskId' | 'attemptId'>,
  file: TaskOutputFile,
): AsyncGenerator<PutTaskOutputRequest> {
  const { jobId, taskId, attemptId } = target;
  const { primaries, batches, engine, counters, warnings = [] } = file.index.header;
  const header = { jobId, taskId, attemptId, primaries: BigInt(primaries), batches, engine, counters: { ...counters } };
  const pageCount = file.index.pages.length;
  yield { part: { $case: 'header', value: { ...header, pageCount, warnings: [...warnings] } } };
  const estimators = new Map<string, number>();
  for (const page of file.index.pages) {
    const { estimatorName } = page.header;
    const estimatorIndex = estimators.get(estimatorName) ?? estimators.size; // outputs keep the project's order
    estimators.set(estimatorName, estimatorIndex);
    yield { part: { $case: 'page', value: pageHeaderMessage(page.header, estimatorIndex) } };
    for await (const chunk of file.read(page.offsetBytes, page.sizeBytes))
      yield { part: { $case: 'chunk', value: chunk } };
  }
}
