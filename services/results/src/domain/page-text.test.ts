import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EstimatorPageHeader } from './page.js';
import { PageText } from './page-text.js';

const header = (bins: number): EstimatorPageHeader => ({
  estimatorIndex: 0,
  estimatorName: 'E',
  fileName: 'e',
  pageNumber: 3,
  pageName: 'Dose',
  kind: 'linear',
  unit: 'Gy',
  scale: 1,
  axes: [{ name: 'Z', unit: 'cm', centers: Array.from({ length: bins }, (_, bin) => bin / 3) }],
});

/** The text of a page whose numbers come in pieces of `pieceSize`. */
function textOf(values: readonly number[], errors: readonly number[], pieceSize: number) {
  const page = new PageText(header(values.length));
  const numbers = Float64Array.from([...values, ...errors]);
  let text = '';
  for (let from = 0; from < numbers.length; from += pieceSize)
    text += page.push(numbers.subarray(from, from + pieceSize));
  return { json: JSON.parse(text + page.end()) as { data: { values: number[]; errors: (number | null)[] } }, page };
}

const pair = fc.tuple(fc.double(), fc.double());

describe('PageText', () => {
  it('brings every finite number through exactly, and none that is not finite, however the numbers are cut', () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 60 }), (pairs, size) => {
        const { json, page } = textOf(
          pairs.map(([value]) => value),
          pairs.map(([, error]) => error),
          size,
        );
        for (const [bin, [value, error]] of pairs.entries()) {
          expect(Object.is(json.data.values[bin], Number.isFinite(value) ? value : 0)).toBe(true);
          const known = Number.isFinite(value) && Number.isFinite(error);
          expect(Object.is(json.data.errors[bin], known ? error : null)).toBe(true);
        }
        expect(page.nonFiniteCount).toBe(pairs.filter(([value]) => !Number.isFinite(value)).length);
      }),
    );
  });

  it('writes the shortest decimal that reads back the same', () => {
    const page = new PageText(header(4));
    const text = page.push(Float64Array.from([0.1 + 0.2, 1e300, 100, -0]));
    expect(text).toBe('{"page_number":3,"name":"Dose","data":{"values":[0.30000000000000004,1e+300,100,-0');
  });

  it('does not close a page with fewer numbers, nor take more, than it has', () => {
    const page = new PageText(header(2));
    page.push(Float64Array.of(1, 2, 3));
    expect(() => page.end()).toThrow(RangeError);
    expect(() => page.push(Float64Array.of(4, 5))).toThrow(RangeError);
  });
});
