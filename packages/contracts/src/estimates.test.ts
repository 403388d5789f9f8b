import { describe, expect, it } from '@jest/globals';
import { type EstimatorEstimates, estimatedOutputMessages, estimatedResultsMessages } from './estimates.js';
import * as results from './gen/results/v1/results_service.js';

const estimator = (values: number[], errors?: number[], metadata?: Record<string, unknown>): EstimatorEstimates => ({
  name: 'Dose',
  fileName: 'dose',
  pages: [
    {
      pageNumber: 1,
      name: 'Dose',
      unit: 'Gy',
      axes: [{ name: 'X', unit: 'cm', centers: values.map((_, i) => i) }],
      values: Float64Array.from(values),
      errors: errors && Float64Array.from(errors),
      metadata,
    },
  ],
});

type Message = results.PutTaskOutputRequest | results.PutResultsRequest;
const numbersOf = (messages: readonly Message[]): number[] => {
  const bytes = Buffer.concat(messages.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value] : [])));
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
};
const pageOf = (messages: readonly Message[]) =>
  messages.flatMap(({ part }) => (part?.$case === 'page' ? [part.value] : []))[0];
const header = { jobId: 'j', taskId: 2, attemptId: 'a', primaries: 100n, engine: 'x' };

describe('the output of a task', () => {
  it('is its sums: with errors of a linear page, without them of an average', () => {
    const messages = [...estimatedOutputMessages(header, [estimator([2, 0], [0.5, 0.25])])];
    expect(messages[0]?.part).toMatchObject({ value: { batches: 1000, warnings: [] } });
    expect(pageOf(messages)?.kind).toBe(results.PageKind.PAGE_KIND_LINEAR);
    expect(numbersOf(messages)).toEqual([200, 0, 100 * (4 + 999 * 0.25), 100 * 999 * 0.0625]);
    const without = [...estimatedOutputMessages(header, [estimator([3])])];
    expect(pageOf(without)?.kind).toBe(results.PageKind.PAGE_KIND_AVERAGE);
    expect(numbersOf(without)).toEqual([300, 900]);
  });

  it('announces what it holds, in pieces of at most 256 KiB', () => {
    const messages = [...estimatedOutputMessages(header, [estimator(Array.from({ length: 100_000 }, () => 1))])];
    expect(messages[0]?.part).toMatchObject({ value: { pageCount: 1 } });
    const sizes = messages.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value.length] : []));
    expect(Math.max(...sizes)).toBe(256 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_600_000);
  });
});

describe('numbered bins', () => {
  const numbered = (count: number): EstimatorEstimates => ({
    ...estimator([]),
    pages: estimator([]).pages.map((page) => ({
      ...page,
      axes: [{ name: 'Z', unit: 'cm', centers: [0.5] }],
      numberedBins: count,
      values: new Float64Array(count),
    })),
  });
  const whole = { jobId: 'j', primaries: 7n, taskCount: 1, isPartial: false, engine: 'x' };

  it('are a number, however many', () => {
    for (const messages of [
      estimatedResultsMessages(whole, [numbered(1_000_000)]),
      estimatedOutputMessages(header, [numbered(1_000_000)]),
    ]) {
      expect(pageOf([...messages])).toMatchObject({ numberedBins: 1_000_000n, axes: [{ centers: [0.5] }] });
    }
  });
});

describe('final results', () => {
  it('are values and errors as they were sent, and what else is said of a page', () => {
    const whole = { jobId: 'j', primaries: 7n, taskCount: 1, isPartial: false, engine: 'x' };
    const messages = [
      ...estimatedResultsMessages(whole, [estimator([1, Number.NaN], [Number.NaN, 0.5], { detector: 'A' })]),
    ];
    expect(numbersOf(messages)).toEqual([1, Number.NaN, Number.NaN, 0.5]);
    const unknown = [...estimatedResultsMessages(whole, [estimator([4])])];
    expect(numbersOf(unknown)).toEqual([4]);
    expect([messages, unknown].map((sent) => pageOf(sent))).toMatchObject([
      { hasNoErrors: false },
      { hasNoErrors: true },
    ]);
    expect(pageOf(messages)).toMatchObject({ axes: [{ name: 'X', unit: 'cm', centers: [0, 1] }], fileName: 'dose' });
    expect(pageOf(messages)?.metadataJson).toBe('{"detector":"A"}');
  });
});
