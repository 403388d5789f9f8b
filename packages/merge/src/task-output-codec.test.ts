import { describe, expect, it } from '@jest/globals';
import { MergeError } from './merge-error.js';
import type { TaskOutput, TaskPage } from './task-output.js';
import { decodeTaskOutput, encodeTaskOutput, readTaskOutputIndex, taskOutputHeaderBytes } from './task-output-codec.js';

const DEPTH_DOSE: TaskPage = {
  estimatorName: 'Głębokość – 深さ',
  fileName: 'depth_',
  pageNumber: 1,
  pageName: 'Dose',
  kind: 'linear',
  unit: 'MeV/g',
  scale: 2,
  axes: [{ name: 'z', unit: 'cm', centers: [0.25, 0.75, 1.25] }],
  moments: [Float64Array.of(1, 2.5, -0), Float64Array.of(Number.NaN, Number.POSITIVE_INFINITY, 5e-324)],
};
const LET: TaskPage = {
  ...DEPTH_DOSE,
  pageNumber: 2,
  pageName: 'dLET',
  kind: 'ratio',
  axes: [],
  moments: [1, 2, 3, 4, 5].map((value) => Float64Array.of(value)),
};
const PHASE_SPACE: TaskPage = {
  ...DEPTH_DOSE,
  pageNumber: 3,
  pageName: 'MCPL',
  kind: 'list',
  axes: [{ name: 'column', unit: '', centers: [1, 2] }],
  recordCount: 3,
  moments: [Float64Array.of(1, 2, 3, 4, 5, 6)],
};
const OUTPUT: TaskOutput = {
  primaries: 1000,
  batches: 20,
  engine: 'reference 0.1.0',
  counters: { lost: 0, escaped_mev: 12.5 },
  warnings: [{ code: 'AXIS_UNNAMED', message: 'głębokość.bdo: an axis has no name' }],
  pages: [
    DEPTH_DOSE,
    PHASE_SPACE,
    LET,
    { ...PHASE_SPACE, pageNumber: 4, recordCount: 0, moments: [new Float64Array(0)] },
  ],
};

function reasonOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof MergeError) return error.reason;
    throw error;
  }
  return 'no error';
}

/** A file whose JSON part is `json` and whose arrays are `tailBytes` zero bytes. */
function fileWithHeader(json: string, tailBytes: number): Uint8Array {
  const unpadded = new TextEncoder().encode(json);
  const header = new Uint8Array(Math.ceil(unpadded.byteLength / 8) * 8).fill(0x20);
  header.set(unpadded);
  const bytes = new Uint8Array(16 + header.byteLength + tailBytes);
  bytes.set(new TextEncoder().encode('TALLYOUT'));
  new DataView(bytes.buffer).setUint32(8, header.byteLength, true);
  bytes.set(header, 16);
  return bytes;
}

describe('the remainders of sums in a task output file', () => {
  const remainders = DEPTH_DOSE.moments.map((moment) => moment.map((_, bin) => bin * 2 ** -60));
  const withRemainders = { ...OUTPUT, pages: [{ ...DEPTH_DOSE, remainders }, LET] };

  it('come back with the pages that have them; others have zeros', () => {
    const [depth, ratio] = decodeTaskOutput(encodeTaskOutput(withRemainders)).pages;
    expect(depth).toEqual({ ...DEPTH_DOSE, remainders });
    expect(ratio).toEqual({ ...LET, remainders: LET.moments.map(() => new Float64Array(1)) });
  });

  it('lie behind all that a file without them has', () => {
    const file = encodeTaskOutput(withRemainders);
    const { pages, remainders: place, totalBytes } = readTaskOutputIndex(file);
    const arrayBytes = pages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const end = (pages.at(-1)?.offsetBytes ?? 0) + (pages.at(-1)?.sizeBytes ?? 0);
    expect(place).toEqual({ offsetBytes: end, sizeBytes: arrayBytes });
    expect(totalBytes).toBe(file.byteLength);
    expect(reasonOf(() => decodeTaskOutput(file.subarray(0, file.byteLength - 8)))).toBe('TRUNCATED');
  });
});

describe('a list in a task output file', () => {
  it.each([
    ['no number of records', { recordCount: undefined }],
    ['a broken number of records', { recordCount: 1.5 }],
    ['a negative number of records', { recordCount: -1 }],
    ['more records than can be counted', { recordCount: Number.MAX_SAFE_INTEGER }],
    ['no columns', { axes: [] }],
    ['two axes', { axes: [...PHASE_SPACE.axes, ...PHASE_SPACE.axes] }],
    ['records of another kind', { kind: 'counter' as const }],
  ])('with %s is malformed', (_, change) => {
    const json = JSON.stringify({ ...OUTPUT, pages: [{ ...PHASE_SPACE, ...change, moments: undefined }] });
    expect(reasonOf(() => decodeTaskOutput(fileWithHeader(json, 48)))).toBe('MALFORMED');
  });

  it('with more or fewer records than it says is refused before anything is allocated', () => {
    const json = (recordCount: number) =>
      JSON.stringify({ ...OUTPUT, pages: [{ ...PHASE_SPACE, recordCount, moments: undefined }] });
    expect(reasonOf(() => decodeTaskOutput(fileWithHeader(json(2 ** 40), 48)))).toBe('TRUNCATED');
    expect(reasonOf(() => decodeTaskOutput(fileWithHeader(json(2), 48)))).toBe('MALFORMED');
    expect(decodeTaskOutput(fileWithHeader(json(3), 48)).pages[0]?.moments).toEqual([new Float64Array(6)]);
  });

  it('cannot be written with another number of records than it has', () => {
    const write = (recordCount: number) => () =>
      encodeTaskOutput({ ...OUTPUT, pages: [{ ...PHASE_SPACE, recordCount }] });
    expect(reasonOf(write(2))).toBe('INVALID_PART');
  });
});

describe('task output file', () => {
  it('gives back what was written, to the bit, non-finite numbers included', () => {
    expect(decodeTaskOutput(encodeTaskOutput(OUTPUT))).toEqual(OUTPUT);
    expect(Object.is(decodeTaskOutput(encodeTaskOutput(OUTPUT)).pages[0]?.moments[0]?.[2], -0)).toBe(true);
  });

  it('is read from any offset of a larger buffer', () => {
    const file = encodeTaskOutput(OUTPUT);
    const larger = new Uint8Array(file.byteLength + 3);
    larger.set(file, 3);
    expect(decodeTaskOutput(larger.subarray(3))).toEqual(OUTPUT);
  });

  it('holds its arrays as aligned little-endian float64 in the order of pages and moments', () => {
    const file = encodeTaskOutput(OUTPUT);
    const { pages, totalBytes } = readTaskOutputIndex(file.subarray(0, taskOutputHeaderBytes(file)));
    expect(pages.map((page) => page.sizeBytes)).toEqual([2 * 3 * 8, 6 * 8, 5 * 8, 0]);
    expect(pages.every((page) => page.offsetBytes % 8 === 0)).toBe(true);
    expect(totalBytes).toBe(file.byteLength);
    expect(new DataView(file.buffer).getFloat64((pages[0]?.offsetBytes ?? 0) + 8, true)).toBe(2.5);
  });

  it('refuses every shortened file as truncated', () => {
    const file = encodeTaskOutput(OUTPUT);
    for (let length = 0; length < file.byteLength; length += 1) {
      expect(reasonOf(() => decodeTaskOutput(file.subarray(0, length)))).toBe('TRUNCATED');
    }
  });

  it('refuses foreign bytes', () => {
    expect(reasonOf(() => decodeTaskOutput(new TextEncoder().encode('PK\u0003\u0004 some zip')))).toBe('FOREIGN');
    expect(reasonOf(() => decodeTaskOutput(new TextEncoder().encode('{"pages":[]}')))).toBe('FOREIGN');
  });

  it('refuses bytes after the end', () => {
    const file = encodeTaskOutput(OUTPUT);
    const longer = new Uint8Array(file.byteLength + 8);
    longer.set(file);
    expect(reasonOf(() => decodeTaskOutput(longer))).toBe('MALFORMED');
  });

  it('does not allocate for a page size that the bytes do not hold', () => {
    const centers = `[${Array.from({ length: 2000 }, (_, index) => index).join()}]`;
    const axis = `{"name":"x","unit":"cm","centers":${centers}}`;
    const page = JSON.stringify({ ...DEPTH_DOSE, moments: undefined, axes: [] }).replace(
      '"axes":[]',
      `"axes":[${Array.from({ length: 12 }, () => axis).join()}]`,
    );
    const json = `{"primaries":1,"batches":1,"engine":"e","counters":{},"pages":[${page}]}`;
    expect(reasonOf(() => decodeTaskOutput(fileWithHeader(json, 64)))).toBe('TRUNCATED');
  });

  it.each([
    ['not JSON', 'hello'],
    ['a list', '[]'],
    ['no pages', '{"primaries":1,"batches":1,"engine":"e","counters":{}}'],
    ['negative primaries', '{"primaries":-1,"batches":1,"engine":"e","counters":{},"pages":[]}'],
    ['no batches', '{"primaries":1,"batches":0,"engine":"e","counters":{},"pages":[]}'],
    ['an infinite counter', '{"primaries":1,"batches":1,"engine":"e","counters":{"a":1e999},"pages":[]}'],
    ['an unknown kind', JSON.stringify({ ...OUTPUT, pages: [{ ...LET, kind: 'toString' }] })],
    [
      'an axis without bins',
      JSON.stringify({ ...OUTPUT, pages: [{ ...LET, axes: [{ name: '', unit: '', centers: [] }] }] }),
    ],
    ['warnings that are no list', JSON.stringify({ ...OUTPUT, pages: [], warnings: {} })],
    ['a warning of two lines', JSON.stringify({ ...OUTPUT, pages: [], warnings: [{ code: 'A', message: 'a\nb' }] })],
    ['page number -1', JSON.stringify({ ...OUTPUT, pages: [{ ...LET, pageNumber: -1 }] })],
    ['a page twice', JSON.stringify({ ...OUTPUT, pages: [LET, LET] })],
  ])('refuses a header with %s', (_name, json) => {
    expect(reasonOf(() => decodeTaskOutput(fileWithHeader(json, 200)))).toBe('MALFORMED');
  });

  it('survives any single changed byte with a typed error or a readable output', () => {
    const file = encodeTaskOutput(OUTPUT);
    for (let position = 0; position < file.byteLength; position += 1) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = file.slice();
        damaged[position] = (damaged[position] ?? 0) ^ flip;
        expect(reasonOf(() => decodeTaskOutput(damaged))).toMatch(/^(FOREIGN|TRUNCATED|MALFORMED|no error)$/);
      }
    }
  });

  it('is not written when an array does not fit its axes', () => {
    const short = { ...OUTPUT, pages: [{ ...DEPTH_DOSE, moments: [Float64Array.of(1), Float64Array.of(1)] }] };
    expect(reasonOf(() => encodeTaskOutput(short))).toBe('INVALID_PART');
    const fewer = { ...OUTPUT, pages: [{ ...DEPTH_DOSE, moments: [] }] };
    expect(reasonOf(() => encodeTaskOutput(fewer))).toBe('INVALID_PART');
  });
});
