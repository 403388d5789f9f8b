import { createHash } from 'node:crypto';
import type { TextPart } from '@tally/number-text';
import { fail } from '../errors.js';
import type { InputNotes } from '../input/input.js';
import { type Reader, requireReader } from '../job-access.js';
import { joinOutputs } from '../output/merge-outputs.js';
import type { NumberPage } from '../page/number-page.js';
import type { EstimatorPageHeader, PageKey, PageSummary } from '../page/page.js';
import { countRecords, hasPage } from '../page/page-set.js';
import { pageText, storedNumbers } from '../page/page-text.js';
import { type PagePart, viewPage } from '../page/page-view.js';
import { pageInUnit } from '../page/scale-page.js';
import { checkSelection, isSelected, type PageSelection } from '../page/selection.js';
import type { EncodePage, ReadableFinalPage, ResultStore, StoredTaskOutput, TaskOutputStore } from '../ports.js';
import { withEffectiveHistories } from './effective-histories.js';
import type { MergedPages } from './merged-pages.js';
import { mergeBatches, type Problem } from './page-readings.js';
import { type StoredResults, summarizeFinalPage } from './result.js';
import { findOutputs, hasSum, sumPage, sumUnavailable } from './sum-page.js';

/** What of a job can be read now: its final results, or what its task outputs give. */
export interface ReadableResults {
  readonly header: StoredResults;
  /** In order of estimator and page number. */
  readonly pages: readonly ReadablePage[];
}

/** A page. */
export interface ReadablePage {
  readonly summary: PageSummary;
  /** Its JSON text. */
  read(): AsyncIterable<TextPart>;
  /** Its numbers, or those of a part; effective numbers of histories are left out where they are not known. @throws ServiceError AXIS_INVALID, SUM_UNAVAILABLE */
  view(part: PagePart): Promise<NumberPage>;
}

export interface ReadableResultsPorts {
  readonly results: ResultStore;
  readonly taskOutputs: TaskOutputStore;
  readonly mergedPages: MergedPages;
  readonly encodePage: EncodePage;
}

/** @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, RESULTS_UNAVAILABLE when no task has delivered yet */
export async function openResults(
  ports: ReadableResultsPorts,
  jobId: string,
  reader: Reader,
): Promise<ReadableResults> {
  const job = await ports.results.open(jobId);
  const { results, ...input } = requireReader(job, reader);
  if (results !== undefined) {
    const { pages, ...header } = results;
    return {
      header: withInput(header, input),
      pages: pages.map((page) => inWantedUnit(finalPage(ports, page, header))),
    };
  }
  const { outputs, pages } = await ports.taskOutputs.listOutputsAndPages(jobId, []);
  if (outputs.length === 0) throw fail('RESULTS_UNAVAILABLE');
  return {
    header: withInput(partialHeader(jobId, outputs), input),
    pages: pages
      .filter((page) => hasPage(outputs, page))
      .map((page) => inWantedUnit(mergedPage(ports, { jobId, problem: input.description }, page, outputs))),
  };
}

/** The page, of which parts are given in the unit that they are asked for in. */
const inWantedUnit = (page: ReadablePage): ReadablePage => ({
  ...page,
  view: async (part) => pageInUnit(await page.view(part), part.unit),
});

/** @throws ServiceError ESTIMATOR_NOT_FOUND, SELECTION_INVALID */
export function selectPages({ pages }: ReadableResults, selection: PageSelection): ReadablePage[] {
  checkSelection(selection);
  const { estimatorName } = selection;
  if (estimatorName !== undefined && !pages.some(({ summary }) => summary.estimatorName === estimatorName)) {
    throw fail('ESTIMATOR_NOT_FOUND');
  }
  return pages.filter(({ summary }) => isSelected(summary, selection));
}

function finalPage(
  { encodePage, taskOutputs }: ReadableResultsPorts,
  stored: ReadableFinalPage,
  results: StoredResults,
): ReadablePage {
  const { page } = stored;
  return {
    summary: summarizeFinalPage(page),
    read: () => encodePage(pageText(page, storedNumbers(page, stored.read()))),
    async view({ axes, hasEffectiveHistories }) {
      const needsTasks = hasSum(axes) || hasEffectiveHistories;
      const outputs = needsTasks ? await findOutputs(taskOutputs, results, page) : undefined;
      if (outputs === undefined) {
        if (hasSum(axes)) throw sumUnavailable(page);
        return viewPage(stored, axes);
      }
      const header = await headerOf(taskOutputs, results.jobId, page);
      const view = hasSum(axes) ? sumPage(taskOutputs, header, outputs, axes) : viewPage(stored, axes);
      return hasEffectiveHistories ? withEffectiveHistories(taskOutputs, view, header, outputs, axes) : view;
    },
  };
}

function mergedPage(
  { taskOutputs, mergedPages, encodePage }: ReadableResultsPorts,
  { jobId, problem }: { readonly jobId: string; readonly problem: Problem },
  summary: PageSummary,
  outputs: readonly StoredTaskOutput[],
): ReadablePage {
  // one header at a time: its axes may be long
  const header = () => headerOf(taskOutputs, jobId, summary);
  const batchesOf = (page: EstimatorPageHeader, axes: PagePart['axes']) =>
    page.kind === 'linear' && axes.length === 0 ? { batches: () => mergeBatches(taskOutputs, page, outputs) } : {};
  return {
    summary: withRecordCount(summary, outputs),
    async *read() {
      yield* encodePage(await mergedPages.text(await header(), outputs, problem));
    },
    async view({ axes, hasEffectiveHistories }) {
      const page = await header();
      const view = hasSum(axes)
        ? sumPage(taskOutputs, page, outputs, axes)
        : { ...viewPage(mergedPages.source(page, outputs), axes), ...batchesOf(page, axes) };
      return hasEffectiveHistories ? withEffectiveHistories(taskOutputs, view, page, outputs, axes) : view;
    },
  };
}

async function headerOf(taskOutputs: TaskOutputStore, jobId: string, page: PageKey): Promise<EstimatorPageHeader> {
  const [header] = await taskOutputs.listPageHeaders(jobId, [page]);
  if (header === undefined) throw fail('CHANGED_WHILE_READ');
  return header;
}

/** No size but the records of a list, which each task has its own of, is 0 in the list of pages. */
function withRecordCount(page: PageSummary, outputs: readonly StoredTaskOutput[]): PageSummary {
  const [columns = 1, records] = page.sizes;
  return records === 0 ? { ...page, sizes: [columns, countRecords(outputs, page, columns)] } : page;
}

/** Warnings of the submission come before what was met in the output. */
function withInput(header: StoredResults, { warnings, description }: InputNotes): StoredResults {
  return { ...header, description, warnings: [...warnings, ...header.warnings] };
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
