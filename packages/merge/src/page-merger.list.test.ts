import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPageMerger, mergePage, requireSamePage } from './page-merger.js';
import type { PageHeader } from './task-output.js';

const HEADER: PageHeader = {
  estimatorName: 'ps',
  fileName: 'ps',
  pageNumber: 1,
  pageName: 'MCPL',
  kind: 'list',
  unit: '',
  scale: 1,
  axes: [{ name: 'column', unit: '', centers: [1, 2, 3] }],
};
const part = (numbers: readonly number[]) => ({ primaries: 10, batches: 1, moments: [Float64Array.from(numbers)] });
const records = fc.array(fc.tuple(fc.double(), fc.double(), fc.double()), { maxLength: 20 });

describe('a list', () => {
  it('is the records of the tasks one after the other, however they are split', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 8 }), (tasks) => {
        const all = tasks.flat(2);
        const merged = mergePage(
          HEADER,
          tasks.map((task) => part(task.flat())),
        );
        expect(merged.values).toEqual(Float64Array.from(all, (value) => (Number.isFinite(value) ? value : 0)));
        expect(merged.errors).toEqual(new Float64Array(all.length).fill(Number.NaN));
        expect(merged.recordCount).toBe(all.length / 3);
        expect(merged.nonFinite).toBe(all.filter((value) => !Number.isFinite(value)).length);
        expect(merged.primaries).toBe(10 * tasks.length);
      }),
    );
  });

  it('grows while tasks are added, and keeps nothing of memory that its caller uses again', () => {
    const merger = createPageMerger({ ...HEADER, recordCount: 1 });
    const numbers = Float64Array.of(1, 2, 3);
    merger.add({ primaries: 1, batches: 1, moments: [numbers] });
    expect(merger.finish()).toMatchObject({ recordCount: 1 });
    numbers.fill(9);
    merger.add(part([4, 5, 6]));
    expect([...merger.finish().values]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('takes whole records alone', () => {
    const merger = createPageMerger(HEADER);
    merger.add(part([1, 2, 3]));
    expect(() => merger.add(part([1, 2, 3, 4]))).toThrow(expect.objectContaining({ reason: 'INVALID_PART' }));
    expect(() => merger.add({ primaries: 1, batches: 1, moments: [] })).toThrow(
      expect.objectContaining({ reason: 'INVALID_PART' }),
    );
    expect(merger.finish().recordCount).toBe(1);
  });

  it('is the same page in tasks that have more records, and not in those that have other columns', () => {
    requireSamePage({ ...HEADER, recordCount: 1 }, { ...HEADER, recordCount: 7 });
    const other = { ...HEADER, axes: [{ name: 'column', unit: '', centers: [1, 2] }] };
    expect(() => requireSamePage(HEADER, other)).toThrow(expect.objectContaining({ reason: 'HEADER_MISMATCH' }));
  });

  it('holds the numbers of all tasks and a bounded multiple of them while it is made', () => {
    const merger = createPageMerger(HEADER);
    const numbers = new Float64Array(300_000).fill(1.5);
    const before = process.memoryUsage().arrayBuffers;
    for (let task = 0; task < 10; task += 1) merger.add({ primaries: 1, batches: 1, moments: [numbers] });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 10 * numbers.byteLength);
    expect(merger.finish().recordCount).toBe(1_000_000);
  });
});
