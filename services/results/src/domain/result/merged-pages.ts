import { BYTES_PER_NUMBER, type Reading } from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import type { LimitFunction } from 'p-limit';
import type { EstimatorPageHeader } from '../page/page.js';
import { heldNumbers, pageText } from '../page/page-text.js';
import { type PageSource, sourceOf } from '../page/page-view.js';
import type { StoredTaskOutput, TaskOutputStore } from '../ports.js';
import { mergeBins, mergePage, withRecords } from './merge-page.js';
import { type Problem, readMergedPage } from './page-readings.js';
import { describeFinalPage, type FinalPage, finalPagePlaces } from './result.js';

/** A merged page in memory. */
interface MergedPage {
  readonly page: FinalPage;
  readonly values: Float64Array;
  readonly errors: Float64Array;
  /** Made when the page is first shown. */
  readings?: readonly Reading[];
}

/**
 * Pages of jobs that have no final results yet, merged from the task outputs that are there. The latest ones are kept, so
 * that polling an unchanged job merges nothing; readers that ask for the same page at the same time share one merge.
 */
export class MergedPages {
  /** Least recently used first. */
  readonly #kept = new Map<string, MergedPage>();
  readonly #making = new Map<string, Promise<MergedPage>>();
  #keptBytes = 0;

  constructor(
    private readonly taskOutputs: Pick<TaskOutputStore, 'readRanges'>,
    private readonly merges: LimitFunction,
    private readonly keptBytesMax: number,
  ) {}

  /**
   * The text of the page as these outputs give it.
   * @throws ServiceError CHANGED_WHILE_READ
   */
  async text(
    header: EstimatorPageHeader,
    outputs: readonly StoredTaskOutput[],
    problem: Problem,
  ): Promise<AsyncIterable<TextPart>> {
    const merged = await this.#merged(header, outputs);
    merged.readings ??= await readMergedPage(this.taskOutputs, header, outputs, merged, problem);
    const page = { ...merged.page, readings: merged.readings };
    return pageText(page, heldNumbers(merged, header.axes));
  }

  /**
   * The page as these outputs give it, to be read in any order: of one that is too large to be kept, what is read is merged
   * when it is read, and nothing is held.
   */
  source(header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): PageSource {
    const page = { ...describeFinalPage(withRecords(header, outputs)), hasErrors: hasMergedErrors(header) };
    const { bins } = finalPagePlaces(page);
    const isHeld = header.kind === 'list' || 2 * bins * BYTES_PER_NUMBER <= this.keptBytesMax;
    return sourceOf(page, header.axes, async (array, from, to) => {
      if (isHeld) return (await this.#merged(header, outputs))[array].subarray(from, to);
      return (await mergeBins(this.taskOutputs, header, outputs, { from, count: to - from }))[array];
    });
  }

  #merged(header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Promise<MergedPage> {
    // output ids are never used twice: the same ids are the same content
    const ids = outputs.map((output) => output.outputId).join(',');
    const key = `${header.estimatorIndex}/${header.pageNumber}/${ids}`;
    const kept = this.#recall(key);
    return kept === undefined ? (this.#making.get(key) ?? this.#make(key, header, outputs)) : Promise.resolve(kept);
  }

  #recall(key: string): MergedPage | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #make(key: string, header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Promise<MergedPage> {
    // without the signal of the one who asked first: others may have joined
    const making = this.merges(() => this.#merge(header, outputs)).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making.then((merged) => {
      this.#keep(key, merged);
      return merged;
    });
  }

  #keep(key: string, merged: MergedPage): void {
    const bytes = sizeOf(merged);
    if (bytes > this.keptBytesMax) return;
    this.#kept.set(key, merged);
    this.#keptBytes += bytes;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= this.keptBytesMax) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= sizeOf(old);
    }
  }

  async #merge(header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Promise<MergedPage> {
    const page = describeFinalPage(withRecords(header, outputs));
    const { bins } = finalPagePlaces(page);
    const [values, errors] = [new Float64Array(bins), new Float64Array(bins)];
    let nonFiniteCount = 0;
    for await (const merged of mergePage(this.taskOutputs, header, outputs)) {
      values.set(merged.values, merged.from);
      errors.set(merged.errors, merged.from);
      nonFiniteCount += merged.nonFiniteCount;
    }
    return { page: { ...page, nonFiniteCount, hasErrors: errors.some(Number.isFinite) }, values, errors };
  }
}

/** Whether errors may be known of merged pages of this kind. */
const hasMergedErrors = ({ kind }: EstimatorPageHeader) => kind !== 'counter' && kind !== 'map' && kind !== 'list';

const sizeOf = ({ values, errors }: MergedPage) => values.byteLength + errors.byteLength;
