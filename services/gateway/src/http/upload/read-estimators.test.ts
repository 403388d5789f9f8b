import { describe, expect, it } from '@jest/globals';
import { readEstimators } from './read-estimators.js';

const readText = (text: string, pagesMax: number) => readEstimators(Buffer.from(text), pagesMax);
const read = (estimators: unknown, pagesMax = 10) => readText(JSON.stringify(estimators), pagesMax);
const pagesOf = (...pages: unknown[]) => [{ name: 'Dose', pages }];
const page = (data: object, more: object = {}) => ({
  page_number: 1,
  name: 'p',
  data: { values: [1, 2], dimensions: [[0, 1]], unit: 'Gy', ...data },
  ...more,
});
const first = (estimators: unknown) => read(estimators)[0]?.pages[0];

/** Fields of the error that reading gives. */
function faultsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (err) {
    return ((err as { fields?: { field: string }[] }).fields ?? []).map(({ field }) => field);
  }
  return [];
}

describe('pages as GET /results shows them', () => {
  it('are read with their numbers, axes and names', () => {
    expect(read(pagesOf(page({ errors: [0.5, null], axes: [{ name: 'Z', unit: 'cm' }] })))).toEqual([
      {
        name: 'Dose',
        fileName: 'Dose',
        pages: [
          {
            pageNumber: 1,
            name: 'p',
            unit: 'Gy',
            axes: [{ name: 'Z', unit: 'cm', centers: [0, 1] }],
            values: Float64Array.of(1, 2),
            errors: Float64Array.of(0.5, Number.NaN),
            metadata: undefined,
          },
        ],
      },
    ]);
  });

  it.each([
    ['too few values', { values: [1] }, 'values'],
    ['no values', { values: undefined }, 'values'],
    ['a value that is none', { values: [1, '2'] }, 'values/1'],
    ['values in two lists', { values: [[1], [2]] }, 'values/0'],
    ['too many errors', { errors: [1, 2, 3] }, 'errors'],
    ['axes that are missing', { axes: [] }, 'axes'],
    ['an axis without bins', { values: [], dimensions: [[]] }, 'dimensions/0'],
    ['more axes than there may be', { dimensions: Array.from({ length: 9 }, () => [1]) }, 'dimensions'],
    ['a unit of two lines', { unit: 'a\nb' }, 'unit'],
  ])('with %s are refused by the place', (_what, wrong, place) => {
    expect(faultsOf(() => read(pagesOf(page({}), page(wrong))))).toEqual([`estimators/0/pages/1/data/${place}`]);
  });

  it('are refused with every fault, in every estimator', () => {
    const estimators = [{ name: '', pages: [page({ values: [1] })] }, { name: 'B', pages: [] }, 'C', { pages: {} }];
    expect(faultsOf(() => read(estimators))).toEqual([
      'estimators/0/name',
      'estimators/0/pages/0/data/values',
      'estimators/1/pages',
      'estimators/2/',
      'estimators/2/pages',
      'estimators/3/name',
      'estimators/3/pages',
    ]);
    expect(faultsOf(() => read([]))).toEqual(['estimators']);
  });

  it('are counted before one of them is looked at', () => {
    expect(read(pagesOf(page({}), page({})), 2)[0]?.pages).toHaveLength(2);
    const wrong = [{ name: 'A', pages: [{}, {}] }, { pages: Array.from({ length: 10 }, () => 'no page') }];
    expect(() => read(wrong, 11)).toThrow('The results must have at most 11 pages');
    expect(() =>
      read(
        Array.from({ length: 11 }, () => ({})),
        10,
      ),
    ).toThrow('The results must have at most 10 pages');
  });
});

describe("pages of the field's own sender", () => {
  const axis = (values: unknown, name = 'Position (Z)', unit = 'cm') => ({ values, name, unit });
  const own = (values: unknown, more: object = {}) => ({ data: { values, unit: 'MeV/g', name: 'Dose' }, ...more });

  it('are numbered by their place from 0, named in data, with axes beside it and metadata', () => {
    const metadata = { page_number: '0', detector_type: 'Dose' };
    const both = own([1, 2, 3, 4, 5, 6], {
      axis_dim1: axis([0.5, 1.5, 2.5]),
      axis_dim2: axis([10, 20], 'Energy', 'MeV'),
      dimensions: 2,
      metadata,
    });
    const pages = read(pagesOf(both, own([7])))[0]?.pages ?? [];
    expect(pages.map(({ pageNumber, name, unit }) => [pageNumber, name, unit])).toEqual([
      [0, 'Dose', 'MeV/g'],
      [1, 'Dose', 'MeV/g'],
    ]);
    expect(pages[0]?.axes).toEqual([
      { name: 'Position (Z)', unit: 'cm', centers: [0.5, 1.5, 2.5] },
      { name: 'Energy', unit: 'MeV', centers: [10, 20] },
    ]);
    expect(pages[0]?.metadata).toEqual(metadata);
    expect(pages[1]?.axes).toEqual([]);
  });

  it('may have three axes, and an estimator with metadata', () => {
    const axes = { axis_dim1: axis([1]), axis_dim2: axis([1, 2]), axis_dim3: axis([1, 2, 3]) };
    const estimators = [{ name: 'D', metadata: { file_name: 'a' }, pages: [own([1, 2, 3, 4, 5, 6], axes)] }];
    expect(first(estimators)?.axes.map(({ centers }) => centers.length)).toEqual([1, 2, 3]);
  });

  it.each([[[[[[5.5]]]]], [[5.5]], 5.5])('may have a scalar as deep in lists as %j', (values) => {
    expect(first(pagesOf(own(values)))).toMatchObject({ values: Float64Array.of(5.5), axes: [] });
  });

  it('lose no value for an axis that is not there, or has no numbers: bins are numbered', () => {
    expect(first(pagesOf(own([1, 2, 3])))).toMatchObject({ axes: [], numberedBins: 3 });
    const cut = own([1, 2, 3, 4], { axis_dim1: axis([0.5, 1.5]) });
    expect(first(pagesOf(cut))).toMatchObject({ axes: [{ centers: [0.5, 1.5] }], numberedBins: 2 });
    const text = `[{"name":"D","pages":[{"data":{"values":[1,2]},"axis_dim1":{"values":[-Infinity,1],"name":"E","unit":"MeV"}}]}]`;
    expect(readText(text, 1)[0]?.pages[0]?.axes).toEqual([{ name: 'E', unit: '', centers: [1, 2] }]);
  });

  it('without any name are named like their estimator', () => {
    expect(first(pagesOf({ data: { values: [1] } }))).toMatchObject({ name: 'Dose', unit: '' });
  });

  it('whose axes do not fit the values are refused by the place', () => {
    const wrong = own([1, 2, 3], { axis_dim1: axis([1, 2]) });
    expect(faultsOf(() => read(pagesOf(wrong)))).toEqual(['estimators/0/pages/0/data/values']);
    const empty = own([], { axis_dim1: axis([]) });
    expect(faultsOf(() => read(pagesOf(empty)))).toEqual(['estimators/0/pages/0/axis_dim1/values']);
  });

  it('may have numbers as Python writes them', () => {
    const text =
      '[{"name":"D","pages":[{"data":{"values":[NaN, 1, Infinity, -Infinity],"unit":"NaN"},"metadata":{"x":NaN}}]}]';
    const pages = readText(text, 1)[0]?.pages ?? [];
    const NONE = Number.NaN;
    expect(pages[0]).toMatchObject({
      values: Float64Array.of(NONE, 1, NONE, NONE),
      unit: 'NaN',
      metadata: { x: null },
    });
  });
});
