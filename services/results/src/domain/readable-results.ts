import { createHash } from 'node:crypto';
import { fail } from './errors.js';
import { joinOutputs } from './list-task-pages.js';
import type { MergedPages } from './merged-pages.js';
import type { PageSummary } from './page.js';
import type { ResultStore, StoredBytes, StoredTaskOutput, TaskOutputStore } from './ports.js';
import type { StoredResults } from './result.js';
import { checkSelection, type PageSelection } from './selection.js';

/** What of a job can be read now: its final results, or what its task outputs give. */
export interface ReadableResults {
  readonly header: StoredResults;
  /** In order of estimator and page number. */
  listPages(selection: PageSelection): Promise<ReadablePage[]>;
}

/** A page; `read` gives one gzip member of its JSON text. */
export interface ReadablePage {
  readonly summary: PageSummary;
  read(): StoredBytes;
}

export interface ReadableResultsPorts {
  readonly results: ResultStore;
  readonly taskOutputs: TaskOutputStore;
  readonly mergedPages: MergedPages;
}

/** @throws ServiceError RESULTS_UNAVAILABLE when no task has delivered yet */
export async function openResults(ports: ReadableResultsPorts, jobId: string): Promise<ReadableResults> {
  const final = await ports.results.find(jobId);
  if (final !== undefined) {
    return {
      header: final.results,
      async listPages(selection) {
        const pages = await ports.results.listPages(final.resultId, selection);
        return pages.map(({ summary, gzip }) => ({ summary, read: () => gzip }));
      },
    };
  }
  const outputs = await ports.taskOutputs.listOutputs(jobId, []);
  if (outputs.length === 0) throw fail('RESULTS_UNAVAILABLE');
  return {
    header: partialHeader(jobId, outputs),
    listPages: (selection) => listMergedPages(ports, jobId, outputs, selection),
  };
}

/** @throws ServiceError ESTIMATOR_NOT_FOUND, SELECTION_INVALID */
export async function selectPages(results: ReadableResults, selection: PageSelection): Promise<ReadablePage[]> {
  checkSelection(selection);
  const pages = await results.listPages(selection);
  if (pages.length > 0 || selection.estimatorName === undefined) return pages;
  const ofEstimator = await results.listPages({ estimatorName: selection.estimatorName, ranges: [] });
  if (ofEstimator.length === 0) throw fail('ESTIMATOR_NOT_FOUND');
  return pages;
}

function partialHeader(jobId: string, outputs: readonly StoredTaskOutput[]): StoredResults {
  const hash = createHash('sha256').update(outputs.map((output) => output.outputId).join(','));
  return {
    jobId,
    ...joinOutputs(outputs),
    taskCount: outputs.length,
    isPartial: true,
    version: `partial-${hash.digest('hex')}`,
  };
}

async function listMergedPages(
  { taskOutputs, mergedPages }: ReadableResultsPorts,
  jobId: string,
  outputs: readonly StoredTaskOutput[],
  selection: PageSelection,
): Promise<ReadablePage[]> {
  const outputIds = outputs.map((output) => output.outputId);
  const summaries = await taskOutputs.listPages(jobId, outputIds, selection);
  return summaries.map((summary) => ({
    summary,
    async *read() {
      // one header at a time: its axes may be long
      const [header] = await taskOutputs.listPageHeaders(jobId, [summary]);
      if (header === undefined) throw fail('CHANGED_WHILE_READ');
      for (const piece of await mergedPages.get(header, outputs)) yield piece;
    },
  }));
}
