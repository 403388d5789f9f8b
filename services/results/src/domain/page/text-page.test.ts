import { describe, expect, it } from '@jest/globals';
import type { NumberPage } from './number-page.js';
import type { PageSummary } from './page.js';
import { openTextPage } from './text-page.js';

const summary: PageSummary = {
  estimatorIndex: 0,
  estimatorName: 'E',
  pageNumber: 1,
  pageName: 'µ "errors":[',
  sizes: [3, 2],
};
const page = {
  page_number: 1,
  name: 'µ "errors":[',
  data: {
    values: [1.5, -2e-9, 3, 4, 5, 1 / 3],
    dimensions: [
      [0.5, 1.5, 2.5],
      [10, 20],
    ],
    unit: 'Gy "values":[7]',
    errors: [0.1, null, 0.3, null, 0.5, 0.6],
    axes: [
      { name: 'X', unit: 'cm' },
      { name: 'Y', unit: 'cm' },
    ],
  },
  metadata: { about: 'µ', values: [1, 2] },
};

/** The text in pieces of so many bytes. */
function textOf(value: object, pieceBytes: number) {
  const bytes = Buffer.from(JSON.stringify(value));
  return async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
}

async function all(pieces: AsyncIterable<Float64Array>) {
  const numbers: number[] = [];
  for await (const piece of pieces) numbers.push(...piece);
  return numbers;
}

const readAll = async (view: NumberPage) => ({
  values: await all(view.values()),
  errors: await all(view.errors()),
  centers: await Promise.all(view.axes.map(async (_, axis) => [...(await view.centers(axis))])),
});

describe('a page that is stored as text', () => {
  it.each([1, 2, 7, 64, 10_000])('is read as numbers, in pieces of %i bytes', async (pieceBytes) => {
    const view = await openTextPage(summary, textOf(page, pieceBytes), []);
    expect(view).toMatchObject({ unit: page.data.unit, pageName: page.name, hasErrors: true });
    expect(view.axes).toEqual([
      { name: 'X', unit: 'cm', size: 3 },
      { name: 'Y', unit: 'cm', size: 2 },
    ]);
    const { values, dimensions, errors } = page.data;
    const known = errors.map((error) => error ?? Number.NaN);
    expect(await readAll(view)).toEqual({ values, errors: known, centers: dimensions });
    expect(JSON.parse(Buffer.from(await view.metadata()).toString())).toEqual(page.metadata);
  });

  it('is read in part', async () => {
    const selected = [{ axis: 0, first: 1, last: 2, take: 'bins' as const }];
    const view = await openTextPage(summary, textOf(page, 5), selected);
    const centers = [
      [1.5, 2.5],
      [10, 20],
    ];
    expect(await readAll(view)).toEqual({ values: [-2e-9, 3, 5, 1 / 3], errors: [Number.NaN, 0.3, 0.5, 0.6], centers });
  });

  it('must be whole', async () => {
    const cut = async function* () {
      yield Buffer.from('{"data":{"values":[1,2');
    };
    await expect(openTextPage(summary, cut, [])).rejects.toThrow('ends within a list');
  });
});
