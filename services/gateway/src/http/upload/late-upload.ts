import type { results, TaskOutputFile } from '@tally/contracts';
import type { UploadedEstimator } from '../schemas/uploaded-results.js';

/** What a worker has uploaded: estimators, or the file of a task output. */
export type UploadContent = readonly UploadedEstimator[] | TaskOutputFile;

/** The log of a job for events outside of its tasks. */
const LOG = 'submission';
/** Pages whose sizes are listed. */
const PAGES_SHOWN_MAX = 100;

/**
 * The line in the job's log `submission` about an upload that came too late, with what was dropped.
 * @param hash - of the upload, hex: one that is repeated is noted once
 */
export function lateUploadNote(
  jobId: string,
  upload: {
    readonly hash: string;
    /** Undefined: final results. */
    readonly taskId: number | undefined;
    readonly content: UploadContent;
    /** As it was sent. */
    readonly sizeBytes: number;
  },
  now: Date,
): results.AppendLogsRequest {
  const { hash, taskId, content, sizeBytes } = upload;
  const what = taskId === undefined ? 'final results' : `the output of task ${taskId}`;
  const text = `${now.toISOString()} too late and dropped: ${what}, ${counted(sizeBytes, 'byte')}, ${describe(content)}\n`;
  const note = { taskId: 0, name: LOG, offset: 0n, text: Buffer.from(text), isNote: true };
  return { jobId, attemptId: `late:${hash}`, texts: [note] };
}

interface Page {
  readonly estimator: string;
  /** Bins along each axis. */
  readonly sizes: readonly number[];
}

function describe(content: UploadContent): string {
  const pages = 'index' in content ? pagesOfFile(content) : pagesOf(content);
  const valueCount = pages.reduce((sum, { sizes }) => sum + countOf(sizes), 0);
  const sizes = new Map<string, string[]>();
  for (const { estimator, sizes: bins } of pages.slice(0, PAGES_SHOWN_MAX)) {
    sizes.set(estimator, [...(sizes.get(estimator) ?? []), bins.length === 0 ? '1' : bins.join(' x ')]);
  }
  const listed = [...sizes].map(([estimator, all]) => `${estimator} (${all.join(', ')})`);
  const more = pages.length > PAGES_SHOWN_MAX ? [`${pages.length - PAGES_SHOWN_MAX} more pages`] : [];
  return `${counted(pages.length, 'page')}, ${counted(valueCount, 'value')}: ${[...listed, ...more].join(', ')}`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const countOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1);

function pagesOf(estimators: readonly UploadedEstimator[]): Page[] {
  return estimators.flatMap(({ name, pages }) =>
    pages.map(({ axes, numberedBins }) => {
      const sizes = axes.map(({ centers }) => centers.length);
      return { estimator: name, sizes: numberedBins === undefined ? sizes : [...sizes, numberedBins] };
    }),
  );
}

function pagesOfFile({ index }: TaskOutputFile): Page[] {
  return index.pages.map(({ header: { estimatorName, axes, recordCount } }) => {
    const sizes = axes.map(({ centers }) => centers.length);
    return { estimator: estimatorName, sizes: recordCount === undefined ? sizes : [...sizes, recordCount] };
  });
}
