import { describe, expect, it } from '@jest/globals';
import { decodeNumbers, encodeNumbers } from '@tally/merge';
import type { TextPart } from '@tally/number-text';
import fc from 'fast-check';
import { describeFinalPage, type FinalPage, finalPagePlaces } from '../result/result.js';
import { heldNumbers, pageText, storedNumbers } from './page-text.js';

const AXES = [
  { name: 'X', unit: 'cm', centers: [0.5, 1.5, 2.5] },
  { name: 'Y', unit: 'mm', centers: [1 / 3, 1] },
];
const page = (fields: Partial<FinalPage> = {}): FinalPage => ({
  ...describeFinalPage({
    estimatorIndex: 0,
    estimatorName: 'E',
    fileName: 'e',
    pageNumber: 3,
    pageName: 'Dose "d"',
    kind: 'linear',
    unit: 'Gy',
    scale: 1,
    axes: AXES,
  }),
  ...fields,
});

/** The text of parts, numbers as ECMAScript writes them. */
async function textOf(parts: AsyncIterable<TextPart>): Promise<string> {
  let text = '';
  for await (const part of parts) {
    if ('text' in part) text += Buffer.from(part.text).toString();
    else if ('nullCount' in part) text += Array<string>(part.nullCount).fill('null').join(',');
    else if ('counted' in part) {
      const { first, count } = part.counted;
      text += Array.from({ length: count }, (_, index) => first + index).join(',');
    } else {
      const written = Array.from(decodeNumbers(part.numbers), (number) =>
        Number.isFinite(number) ? String(number) : part.hasNulls ? 'null' : '0',
      );
      text += `${part.isFirst ? '' : ','}${written.join(',')}`;
    }
  }
  return text;
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size);
}

const VALUES = [1, 2.5, -3e-9, 0, Number.NaN, 6];
const ERRORS = [0.1, Number.NaN, 1e-12, 0, Number.NaN, 7];
const EXPECTED = {
  page_number: 3,
  name: 'Dose "d"',
  data: {
    values: [1, 2.5, -3e-9, 0, 0, 6],
    dimensions: AXES.map(({ centers }) => centers),
    unit: 'Gy',
    errors: [0.1, null, 1e-12, 0, null, 7],
    axes: AXES.map(({ name, unit }) => ({ name, unit })),
  },
};

describe('the text of a page', () => {
  it('is the same however its stored bytes are cut', async () => {
    const metadata = '{"detector":"A"}';
    const stored = page({ hasErrors: true, nonFiniteCount: 1, metadataBytes: metadata.length });
    const numbers = [...VALUES, ...AXES.flatMap(({ centers }) => centers), ...ERRORS];
    const bytes = Buffer.concat([encodeNumbers(Float64Array.from(numbers)), Buffer.from(metadata)]);
    expect(bytes).toHaveLength(finalPagePlaces(stored).end);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (size) => {
        const text = await textOf(pageText(stored, storedNumbers(stored, cut(bytes, size))));
        expect(JSON.parse(text)).toEqual({ ...EXPECTED, non_finite_count: 1, metadata: { detector: 'A' } });
      }),
    );
  });

  it('of a page in memory is the same', async () => {
    const held = { values: Float64Array.from(VALUES), errors: Float64Array.from(ERRORS) };
    const text = await textOf(pageText(page({ hasErrors: true }), heldNumbers(held, AXES)));
    expect(JSON.parse(text)).toEqual(EXPECTED);
    expect(text.startsWith('{"page_number":3,"name":"Dose \\"d\\"","data":{"values":[1,2.5,')).toBe(true);
  });

  it('without errors has as many unknown ones as values', async () => {
    const bytes = encodeNumbers(Float64Array.from([...VALUES, ...AXES.flatMap(({ centers }) => centers)]));
    const stored = page();
    const text = await textOf(pageText(stored, storedNumbers(stored, cut(bytes, 7))));
    expect(JSON.parse(text)).toMatchObject({ data: { values: EXPECTED.data.values, errors: VALUES.map(() => null) } });
  });

  it('of a list has the numbers of its records as a second axis, even if there are none', async () => {
    for (const recordCount of [0, 2]) {
      const { axes } = page();
      const list = page({ axes: axes.slice(0, 1), recordCount });
      const values = new Float64Array(3 * recordCount).fill(4);
      const text = await textOf(pageText(list, heldNumbers({ values, errors: values }, AXES.slice(0, 1))));
      expect(JSON.parse(text)).toMatchObject({
        data: {
          values: [...values],
          dimensions: [AXES[0]?.centers, recordCount === 0 ? [] : [1, 2]],
          errors: Array.from(values, () => null),
          axes: [{ name: 'X' }, { name: 'particle', unit: '' }],
        },
      });
    }
  });

  it('fails where a page has fewer bytes than it says', async () => {
    const stored = page();
    const bytes = encodeNumbers(Float64Array.from(VALUES));
    await expect(textOf(pageText(stored, storedNumbers(stored, cut(bytes, 16))))).rejects.toThrow(RangeError);
  });
});
