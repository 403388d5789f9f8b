import { PassThrough, Readable } from 'node:stream';
import { takeNumberBytes } from '@tally/merge';
import { arraysOf, countNumbers, type NumberPage, type Numbers } from '../../domain/page/number-page.js';
import { type NumberResults, provenanceOf } from '../../domain/result/export-results.js';
import { type Problem, readingsOf } from '../../domain/result/page-readings.js';
import { npyHeader, npyOfTexts } from './npy.js';
import { namePages } from './part-names.js';

/** Every file of the archive: the archive of the same results is then the same. */
const MODIFIED_AT = new Date(1980, 0, 1);

/**
 * A zip of NumPy arrays, as numpy.savez writes one: `<estimator>/<page>/values`, `errors` where any are known,
 * `effective_histories` where they are asked for, `axis_0` … (bin centres), the number `error_batches` of a sum, and texts `estimator`, `name`, `unit`, `axis_names`, `axis_units`, `readings` and `metadata` (JSON); `provenance` (JSON) of all. Arrays are
 * indexed by the axes in their order, as the first one of JSON is the fastest: Fortran's order. Stored, not compressed.
 */
export async function* writeNpz(results: NumberResults): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const out = zip.outputStream.pipe(new PassThrough());
  const stop = (err: unknown) => out.destroy(err instanceof Error ? err : new Error(String(err)));
  (zip as unknown as NodeJS.EventEmitter).on('error', stop);
  const options = { compress: false, mtime: MODIFIED_AT };
  zip.addBuffer(npyOfTexts(JSON.stringify(provenanceOf(results.header))), 'provenance.npy', options);
  for (const [page, names] of namePages(results.pages)) {
    const folder = `${names.estimator}/${names.page}`;
    for (const [name, array] of await filesOf(page, results.header.description)) {
      const path = `${folder}/${name}.npy`;
      if (array instanceof Uint8Array) zip.addBuffer(Buffer.from(array), path, options);
      else {
        zip.addReadStreamLazy(path, { ...options, size: array.sizeBytes }, (give) => {
          give(null, Readable.from(array.bytes(), { objectMode: false }).on('error', stop));
        });
      }
    }
  }
  zip.end();
  yield* out as AsyncIterable<Uint8Array>;
}

/** An array that is written a piece at a time. */
interface LongArray {
  readonly sizeBytes: number;
  bytes(): AsyncIterable<Uint8Array>;
}

async function filesOf(page: NumberPage, problem: Problem): Promise<[string, Uint8Array | LongArray][]> {
  const readings = await readingsOf(page, problem);
  const { errorBatches } = page;
  const shape = page.axes.map(({ size }) => size);
  const metadata = Buffer.from(await page.metadata()).toString();
  return [
    ...arraysOf(page).map(({ name, read }): [string, LongArray] => [name, longArray(shape, read)]),
    ...(errorBatches === undefined
      ? []
      : [['error_batches', longArray([], oneNumber(errorBatches))] as [string, LongArray]]),
    ...page.axes.map(({ size }, axis): [string, LongArray] => [
      `axis_${axis}`,
      longArray([size], async function* () {
        yield await page.centers(axis);
      }),
    ]),
    ['estimator', npyOfTexts(page.estimatorName)],
    ['name', npyOfTexts(page.pageName)],
    ['unit', npyOfTexts(page.unit)],
    ['axis_names', npyOfTexts(page.axes.map(({ name }) => name))],
    ['axis_units', npyOfTexts(page.axes.map(({ unit }) => unit))],
    ...(readings.length === 0 ? [] : [['readings', npyOfTexts(JSON.stringify(readings))] as [string, Uint8Array]]),
    ...(metadata === '' ? [] : [['metadata', npyOfTexts(metadata)] as [string, Uint8Array]]),
  ];
}

function longArray(shape: readonly number[], numbers: () => AsyncIterable<Numbers>): LongArray {
  const header = npyHeader('<f8', true, shape);
  return {
    sizeBytes: header.byteLength + 8 * countNumbers({ axes: shape.map((size) => ({ name: '', unit: '', size })) }),
    async *bytes() {
      yield header;
      for await (const piece of numbers()) yield takeNumberBytes(piece);
    },
  };
}

const oneNumber = (number: number) =>
  async function* () {
    yield Float64Array.of(number);
  };
