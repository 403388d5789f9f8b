import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { resultsMessages, taskOutputMessages } from './results-upload.js';
import type { UploadedEstimator } from './schemas/uploaded-results.js';

const estimator = (values: number[], errors?: number[], metadata?: Record<string, unknown>): UploadedEstimator => ({
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
  it('with errors becomes sums from which its own mean and error come out again', () => {
    const messages = [...taskOutputMessages(header, [estimator([2, 0], [0.5, 0.25])])];
    expect(pageOf(messages)?.kind).toBe(results.PageKind.PAGE_KIND_LINEAR);
    const [sum = 0, sum2 = 0, squares = 0, squares2 = 0] = numbersOf(messages);
    expect([sum, sum2]).toEqual([200, 0]);
    // Var(mean) = (Σ s²/n / N − mean²) / (B − 1), as packages/merge has it
    const first = messages[0]?.part;
    const batches = first?.$case === 'header' ? first.value.batches : 0;
    expect(Math.sqrt((squares / 100 - 4) / (batches - 1))).toBeCloseTo(0.5, 12);
    expect(Math.sqrt(squares2 / 100 / (batches - 1))).toBeCloseTo(0.25, 12);
  });

  it('without errors is a mean whose error is the scatter of the tasks', () => {
    const messages = [...taskOutputMessages(header, [estimator([3])])];
    expect(pageOf(messages)?.kind).toBe(results.PageKind.PAGE_KIND_AVERAGE);
    expect(numbersOf(messages)).toEqual([300, 900]);
  });

  it('announces what it holds, in pieces of at most 256 KiB', () => {
    const messages = [...taskOutputMessages(header, [estimator(Array.from({ length: 100_000 }, () => 1))])];
    expect(messages[0]?.part).toMatchObject({ value: { pageCount: 1 } });
    const sizes = messages.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value.length] : []));
    expect(Math.max(...sizes)).toBe(256 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_600_000);
  });
});

describe('final results', () => {
  it('are values and errors as they were sent, and what else is said of a page', () => {
    const whole = { jobId: 'j', primaries: 7n, taskCount: 1, isPartial: false, engine: 'x' };
    const messages = [...resultsMessages(whole, [estimator([1, Number.NaN], [Number.NaN, 0.5], { detector: 'A' })])];
    expect(numbersOf(messages)).toEqual([1, Number.NaN, Number.NaN, 0.5]);
    expect(numbersOf([...resultsMessages(whole, [estimator([4])])])).toEqual([4, Number.NaN]);
    expect(pageOf(messages)).toMatchObject({ axes: [{ name: 'X', unit: 'cm', centers: [0, 1] }], fileName: 'dose' });
    expect(pageOf(messages)?.metadataJson).toBe('{"detector":"A"}');
  });
});
