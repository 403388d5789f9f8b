import { joinWarnings, type OutputWarning, WARNINGS_MAX } from '@tally/merge';
import { inGroups } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { EstimatorPageHeader, PageSummary } from '../page/page.js';
import { hasPage, storedBytes } from '../page/page-set.js';
import type {
  ContentMaker,
  InputStore,
  OutputRange,
  ResultStore,
  StoredTaskOutput,
  TaskOutputStore,
} from '../ports.js';
import { storeMergedPages } from '../result/final-pages.js';
import { requirePresent } from '../upload.js';

export interface MergeOutputsPorts {
  readonly inputs: InputStore;
  readonly taskOutputs: TaskOutputStore;
  readonly results: ResultStore;
}

/** What is to be merged. */
export interface MergeOrder {
  readonly jobId: string;
  /** Tasks that count, ascending. */
  readonly taskIds: readonly number[];
  readonly isPartial: boolean;
  /** The job was stopped by its owner: fewer primaries than it asked for are behind its results. */
  readonly isStopped: boolean;
  /** Results of a merge with a larger number are left as they are. */
  readonly number: number;
}

/** Told with the results, in every format; the gateway knows it by its code. */
const STOPPED: OutputWarning = {
  code: 'JOB_STOPPED',
  message: 'the job was stopped before all of its primaries were simulated; values and errors are per those that were',
};

/** Outputs that are no larger, all together, are read at once: a merge of small ones is one reading and one writing. */
const BYTES_HELD_MAX = 4 * 1024 * 1024;
/** Bin centres of headers that are read at once. */
const CENTERS_HELD_MAX = 100_000;

/**
 * Merges the outputs of a job's tasks and stores the final results, whole or not at all. Safe to repeat.
 * @throws ServiceError JOB_NOT_FOUND, OUTPUTS_INCOMPLETE, MERGE_REPLACED, CHANGED_WHILE_READ, CANCELLED
 */
export async function mergeOutputs(
  ports: MergeOutputsPorts,
  { jobId, taskIds, isPartial, isStopped, number }: MergeOrder,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { inputs, taskOutputs, results } = ports;
  const [{ outputs, pages: all }, job] = await Promise.all([
    taskOutputs.listOutputsAndPages(jobId, taskIds),
    inputs.findJob(jobId),
  ]);
  if (job === undefined) throw fail('JOB_NOT_FOUND');
  requireTasks(taskIds, outputs);
  const bytes = outputs.reduce((sum, output) => sum + storedBytes(output), 0);
  const pages = all.filter((page) => hasPage(outputs, page));
  for (const page of pages) requirePage(page, outputs);
  const isSmall = bytes <= BYTES_HELD_MAX;
  const reader = isSmall ? await holdOutputs(taskOutputs, outputs) : taskOutputs;
  const joined = joinOutputs(outputs);
  const warnings = isStopped ? [STOPPED, ...joined.warnings].slice(0, WARNINGS_MAX) : joined.warnings;
  const header = { jobId, taskCount: outputs.length, isPartial, ...joined, warnings, mergeNumber: number };
  const made = storeMergedPages(header, headersOf(taskOutputs, jobId, pages), outputs, reader, job.description);
  await results.put(header, untilCancelled(made, signal));
}

/** Histories of all tasks, who computed them and warnings: each once. */
export function joinOutputs(outputs: readonly StoredTaskOutput[]) {
  return {
    primaries: outputs.reduce((sum, output) => sum + output.primaries, 0),
    engine: [...new Set(outputs.map((output) => output.engine))].join(', '),
    warnings: joinWarnings(outputs.map((output) => output.warnings)),
  };
}

function requireTasks(taskIds: readonly number[], outputs: readonly StoredTaskOutput[]): void {
  const stored = new Set(outputs.map(({ taskId }) => taskId));
  const missing = taskIds.filter((taskId) => !stored.has(taskId));
  if (taskIds.length > 0 && missing.length === 0) return;
  const which = `${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', …' : ''}`;
  const message =
    taskIds.length === 0 ? 'No task counts' : `${missing.length} of ${taskIds.length} tasks have no output: ${which}`;
  throw fail('OUTPUTS_INCOMPLETE', { message });
}

function requirePage(page: PageSummary, outputs: readonly StoredTaskOutput[]): void {
  const missing = outputs.filter((output) => !hasPage([output], page)).map(({ taskId }) => taskId);
  if (missing.length === 0) return;
  const message = `page ${page.pageNumber} of "${page.estimatorName}" is missing in tasks ${missing.slice(0, 20).join(', ')}`;
  throw fail('OUTPUTS_INCOMPLETE', { message });
}

/** All bytes of these outputs in memory. */
async function holdOutputs(
  taskOutputs: TaskOutputStore,
  outputs: readonly StoredTaskOutput[],
): Promise<Pick<TaskOutputStore, 'readRanges'>> {
  const whole = await taskOutputs.readRanges(outputs.map((output) => ({ output, from: 0, to: storedBytes(output) })));
  const held = new Map(outputs.map((output, index) => [output.outputId, whole[index] ?? new Uint8Array(0)]));
  const read = ({ output, from, to }: OutputRange) =>
    (held.get(output.outputId) ?? new Uint8Array(0)).subarray(from, to);
  return { readRanges: (ranges) => Promise.resolve(ranges.map(read)) };
}

/** Headers of pages, some at a time: their axes may be long. */
async function* headersOf(
  taskOutputs: TaskOutputStore,
  jobId: string,
  pages: readonly PageSummary[],
): AsyncGenerator<EstimatorPageHeader> {
  const centersOf = ({ sizes }: PageSummary) => sizes.reduce((sum, size) => sum + size, 0);
  for (const group of inGroups(pages, centersOf, CENTERS_HELD_MAX)) {
    const headers = await taskOutputs.listPageHeaders(jobId, group);
    if (headers.length < group.length) throw fail('CHANGED_WHILE_READ');
    yield* headers;
  }
}

/** Nobody waits for what a caller who went away has asked for. */
async function* untilCancelled<Made>(content: ContentMaker<Made>, signal: AbortSignal | undefined): ContentMaker<Made> {
  for (;;) {
    const next = await content.next();
    if (next.done) return next.value;
    requirePresent(signal);
    yield next.value;
  }
}
