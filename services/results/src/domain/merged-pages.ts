import { BYTES_PER_NUMBER, createPageMerger, MOMENTS } from '@tally/merge';
import { PageEncoder } from './encode-results.js';
import { NumberStream } from './number-stream.js';
import type { EstimatorPageHeader } from './page.js';
import type { StoredTaskOutput, TaskOutputStore } from './ports.js';
import { inSlot, type Slots } from './slots.js';

/** Numbers that go into one piece of text; the event loop gets its turn between pieces. */
const NUMBERS_PER_PIECE = 32 * 1024;

/**
 * Pages of jobs that have no final results yet, merged from the task outputs that are there: gzip members like those of
 * final pages. The latest ones are kept, so that polling an unchanged job merges nothing; readers that ask for the same
 * page at the same time share one merge.
 */
export class MergedPages {
  /** Least recently used first. */
  readonly #kept = new Map<string, Buffer[]>();
  readonly #making = new Map<string, Promise<Buffer[]>>();
  #keptBytes = 0;

  constructor(
    private readonly taskOutputs: Pick<TaskOutputStore, 'readPage'>,
    private readonly slots: Slots,
    private readonly keptBytesMax: number,
  ) {}

  /**
   * The page as these outputs give it.
   * @throws ServiceError CHANGED_WHILE_READ
   */
  async get(header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Promise<readonly Buffer[]> {
    // output ids are never used twice: the same ids are the same content
    const ids = outputs.map((output) => output.outputId).join(',');
    const key = `${header.estimatorIndex}/${header.pageNumber}/${ids}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    return this.#making.get(key) ?? this.#make(key, header, outputs);
  }

  #make(key: string, header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Promise<Buffer[]> {
    // without the signal of the one who asked first: others may have joined
    const making = inSlot(this.slots, undefined, () => this.#merge(header, outputs)).finally(() =>
      this.#making.delete(key),
    );
    this.#making.set(key, making);
    return making.then((page) => {
      this.#keep(key, page);
      return page;
    });
  }

  #keep(key: string, page: Buffer[]): void {
    const bytes = sizeOf(page);
    if (bytes > this.keptBytesMax) return;
    this.#kept.set(key, page);
    this.#keptBytes += bytes;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= this.keptBytesMax) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= sizeOf(old);
    }
  }

  async #merge(header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]): Promise<Buffer[]> {
    const merger = createPageMerger(header);
    for await (const { output, numbers } of this.#taskNumbers(header, outputs)) {
      const { primaries, batches } = output;
      const bins = numbers.length / MOMENTS[header.kind].length;
      const moments = MOMENTS[header.kind].map((_, index) => numbers.subarray(index * bins, (index + 1) * bins));
      merger.add({ primaries, batches, moments });
    }
    const { values, errors, recordCount, nonFinite: nonFiniteCount } = merger.finish();
    const encoder = new PageEncoder({ ...header, recordCount, nonFiniteCount });
    try {
      const made: Buffer[] = [];
      for (const numbers of [values, errors]) {
        for (let from = 0; from < numbers.length; from += NUMBERS_PER_PIECE) {
          made.push(...(await encoder.push(numbers.subarray(from, from + NUMBERS_PER_PIECE))));
        }
      }
      made.push(...(await encoder.end()));
      return made;
    } finally {
      encoder.destroy();
    }
  }

  /** One task's arrays after the other, each in memory of its own. */
  async *#taskNumbers(header: EstimatorPageHeader, outputs: readonly StoredTaskOutput[]) {
    let task: { output: StoredTaskOutput; numbers: Float64Array; stream: NumberStream; count: number } | undefined;
    for await (const part of this.taskOutputs.readPage(header, outputs)) {
      if (part.kind === 'task') {
        if (task !== undefined) yield task;
        const numbers = new Float64Array(part.sizeBytes / BYTES_PER_NUMBER);
        task = { output: part.output, numbers, stream: new NumberStream(), count: 0 };
      } else if (task !== undefined) {
        const next = task.stream.push(part.bytes);
        task.numbers.set(next, task.count);
        task.count += next.length;
      }
    }
    if (task !== undefined) yield task;
  }
}

const sizeOf = (page: readonly Buffer[]) => page.reduce((sum, bytes) => sum + bytes.byteLength, 0);
