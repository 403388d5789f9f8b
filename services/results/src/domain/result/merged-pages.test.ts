import { describe, expect, it } from '@jest/globals';
import { decodeNumbers, encodeNumbers } from '@tally/merge';
import pLimit from 'p-limit';
import { fail } from '../errors.js';
import type { EstimatorPageHeader } from '../page/page.js';
import { layOut } from '../page/page-set.js';
import type { OutputRange, StoredTaskOutput } from '../ports.js';
import { MergedPages } from './merged-pages.js';

const header = (pageNumber: number): EstimatorPageHeader => ({
  estimatorIndex: 0,
  estimatorName: 'E',
  fileName: 'e',
  pageNumber,
  pageName: 'Hits',
  kind: 'counter',
  unit: '',
  scale: 1,
  axes: [{ name: 'Z', unit: 'cm', centers: [1, 2] }],
});
const PAGES = [1, 2, 3, 13];
const output = (outputId: bigint): StoredTaskOutput => ({
  outputId,
  taskId: Number(outputId),
  primaries: 1,
  batches: 1,
  engine: 'e',
  warnings: [],
  blobId: undefined,
  ...layOut(PAGES.map(header), false),
});

/** Task outputs in memory, each with its id in every first bin; counts how often a page is read. */
function memoryOutputs() {
  const reads: (number | undefined)[] = [];
  return {
    reads,
    readRanges: async (ranges: readonly OutputRange[]) => {
      const pageNumber = PAGES[(ranges[0]?.from ?? 0) / 16];
      reads.push(pageNumber);
      if (pageNumber === 13) throw fail('CHANGED_WHILE_READ');
      return ranges.map(({ output: { outputId } }) => encodeNumbers(Float64Array.of(Number(outputId), 1)));
    },
  };
}

/** Values of a page, read from the parts of its text. */
async function valuesOf(pages: MergedPages, pageNumber: number, ...outputs: StoredTaskOutput[]): Promise<number[]> {
  for await (const part of await pages.text(header(pageNumber), outputs, undefined)) {
    if ('numbers' in part) return [...decodeNumbers(part.numbers)];
  }
  return [];
}
const create = (outputs: ReturnType<typeof memoryOutputs>, bytesMax = 1_000) =>
  new MergedPages(outputs, pLimit(1), bytesMax);

describe('MergedPages', () => {
  it('merge a page once for all who ask, at the same time or later', async () => {
    const outputs = memoryOutputs();
    const pages = create(outputs);
    const answers = await Promise.all([1, 2, 3].map(() => valuesOf(pages, 1, output(5n), output(7n))));
    expect(answers).toEqual([
      [12, 2],
      [12, 2],
      [12, 2],
    ]);
    await pages.text(header(1), [output(5n), output(7n)], undefined);
    expect(outputs.reads).toEqual([1]);
  });

  it('merge anew when an output is new or was put again', async () => {
    const pages = create(memoryOutputs());
    expect(await valuesOf(pages, 1, output(5n))).toEqual([5, 1]);
    expect(await valuesOf(pages, 1, output(6n))).toEqual([6, 1]);
  });

  it('keep no more than they may: the least recently used page goes first', async () => {
    const outputs = memoryOutputs();
    const pageBytes = 2 * 2 * 8; // values and errors of two bins
    const pages = create(outputs, Math.floor(2.5 * pageBytes));
    for (const pageNumber of [1, 2, 1, 3, 1, 2]) await valuesOf(pages, pageNumber, output(1n));
    expect(outputs.reads).toEqual([1, 2, 3, 2]);
  });

  it('fail for all who wait, and forget the failure', async () => {
    const outputs = memoryOutputs();
    const pages = create(outputs);
    const both = await Promise.allSettled([1, 2].map(() => valuesOf(pages, 13, output(1n))));
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(valuesOf(pages, 13, output(1n))).rejects.toMatchObject({ reason: 'CHANGED_WHILE_READ' });
    expect(outputs.reads).toEqual([13, 13]);
    expect(await valuesOf(pages, 1, output(1n))).toEqual([1, 1]);
  });
});
