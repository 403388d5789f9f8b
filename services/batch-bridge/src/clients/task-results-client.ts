import { results } from '@tally/contracts';
import type { PageHeader, PageKind } from '@tally/merge';
import { createGrpcClient, type GrpcClientOptions, type GrpcConnection } from '@tally/service-kit';
import type { FetchedOutput, TaskResults } from '../domain/observation-ports.js';
import type { JobId } from '../domain/submission.js';

export interface TaskResultsClientOptions extends GrpcClientOptions {
  /** Time limit of an upload; the way from the cluster included. */
  readonly transferTimeoutMs: number;
}

/**
 * The attempt that logs of workers outside count for, whoever brings them: what a task has delivered itself by POST
 * /logfiles is then continued.
 */
const ATTEMPT = 'outside';

/** The results service over gRPC, as what tasks on clusters have written goes there. */
export function createTaskResultsClient(options: TaskResultsClientOptions): TaskResults & GrpcConnection {
  const client = createGrpcClient(results.ResultsServiceService, options);
  return {
    async appendTaskLog(jobId, taskId, offsetBytes, text) {
      await client.appendLog({ jobId, taskId, attemptId: ATTEMPT, offset: BigInt(offsetBytes), text });
    },
    async putTaskOutput(jobId, taskId, output) {
      await client.putTaskOutput(outputParts(jobId, taskId, output), { timeoutMs: options.transferTimeoutMs });
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

async function* outputParts(
  jobId: JobId,
  taskId: number,
  { index, read }: FetchedOutput,
): AsyncGenerator<results.PutTaskOutputRequest> {
  const { primaries, batches, engine, counters } = index.header;
  const header = { jobId, taskId, attemptId: ATTEMPT, primaries: BigInt(primaries), batches, engine };
  yield { part: { $case: 'header', value: { ...header, counters: { ...counters }, pageCount: index.pages.length } } };
  const estimators = new Map<string, number>();
  for (const page of index.pages) {
    const { estimatorName } = page.header;
    const estimatorIndex = estimators.get(estimatorName) ?? estimators.size; // outputs keep the project's order
    estimators.set(estimatorName, estimatorIndex);
    yield { part: { $case: 'page', value: fromPage(page.header, estimatorIndex) } };
    for await (const chunk of read(page.offsetBytes, page.sizeBytes)) yield { part: { $case: 'chunk', value: chunk } };
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

function fromPage(page: PageHeader, estimatorIndex: number): results.PageHeader {
  const axes = page.axes.map(({ name, unit, centers }) => ({ name, unit, centers: [...centers] }));
  const recordCount = page.recordCount === undefined ? undefined : BigInt(page.recordCount);
  return { ...page, estimatorIndex, kind: PAGE_KINDS[page.kind], axes, recordCount };
}
