import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { encodeNumbers } from '@tally/merge';
import { fail } from './errors.js';
import { MergedPages } from './merged-pages.js';
import type { EstimatorPageHeader, PageKey } from './page.js';
import type { StoredTaskOutput, TaskPageBytes } from './ports.js';
import { Slots } from './slots.js';

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
const output = (outputId: bigint): StoredTaskOutput => ({
  outputId,
  taskId: Number(outputId),
  primaries: 1,
  batches: 1,
  engine: 'e',
  warnings: [],
});

/** Task outputs in memory, each with its id in every bin; counts how often a page is read. */
function memoryOutputs() {
  const reads: number[] = [];
  async function* readPage(
    { pageNumber }: PageKey,
    outputs: readonly StoredTaskOutput[],
  ): AsyncGenerator<TaskPageBytes> {
    reads.push(pageNumber);
    if (pageNumber === 13) throw fail('CHANGED_WHILE_READ');
    for (const each of outputs) {
      yield { kind: 'task', output: each, sizeBytes: 16 };
      yield { kind: 'bytes', bytes: encodeNumbers(Float64Array.of(Number(each.outputId), 1)) };
    }
  }
  return { reads, readPage };
}

async function valuesOf(page: Promise<readonly Buffer[]>): Promise<unknown> {
  const { data } = JSON.parse(gunzipSync(Buffer.concat(await page)).toString()) as { data: { values: number[] } };
  return data.values;
}

describe('MergedPages', () => {
  it('merge a page once for all who ask, at the same time or later', async () => {
    const outputs = memoryOutputs();
    const pages = new MergedPages(outputs, new Slots(1), 1_000);
    const answers = await Promise.all([1, 2, 3].map(() => valuesOf(pages.get(header(1), [output(5n), output(7n)]))));
    expect(answers).toEqual([
      [12, 2],
      [12, 2],
      [12, 2],
    ]);
    await pages.get(header(1), [output(5n), output(7n)]);
    expect(outputs.reads).toEqual([1]);
  });

  it('merge anew when an output is new or was put again', async () => {
    const outputs = memoryOutputs();
    const pages = new MergedPages(outputs, new Slots(1), 1_000);
    expect(await valuesOf(pages.get(header(1), [output(5n)]))).toEqual([5, 1]);
    expect(await valuesOf(pages.get(header(1), [output(6n)]))).toEqual([6, 1]);
  });

  it('keep no more than they may: the least recently used page goes first', async () => {
    const outputs = memoryOutputs();
    const one = Buffer.concat([...(await new MergedPages(outputs, new Slots(1), 0).get(header(1), [output(1n)]))]);
    const pages = new MergedPages(outputs, new Slots(1), Math.floor(2.5 * one.length));
    outputs.reads.length = 0;
    for (const pageNumber of [1, 2, 1, 3, 1, 2]) await pages.get(header(pageNumber), [output(1n)]);
    expect(outputs.reads).toEqual([1, 2, 3, 2]);
  });

  it('fail for all who wait, and forget the failure', async () => {
    const outputs = memoryOutputs();
    const pages = new MergedPages(outputs, new Slots(1), 1_000);
    const both = await Promise.allSettled([1, 2].map(() => pages.get(header(13), [output(1n)])));
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pages.get(header(13), [output(1n)])).rejects.toMatchObject({ reason: 'CHANGED_WHILE_READ' });
    expect(outputs.reads).toEqual([13, 13]);
    await expect(pages.get(header(1), [output(1n)])).resolves.toBeDefined();
  });
});
