import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Reading } from '@tally/merge';
import { currentContext } from '@tally/service-kit';
import pLimit from 'p-limit';
import { fail } from '../../domain/errors.js';
import { arraysOf, countNumbers, type NumberPage } from '../../domain/page/number-page.js';
import { type FileWriter, type NumberResults, provenanceOf } from '../../domain/result/export-results.js';
import { readingsOf } from '../../domain/result/page-readings.js';
import { namePages } from '../files/part-names.js';
import type { Attributes } from './commands.js';
import { DiskShares } from './disk-shares.js';
import { readWhileWanted } from './wanted-file.js';
import { WriterThread } from './writer-thread.js';

/** Where files are written, and how large and how many they may be. */
export interface Hdf5Limits {
  readonly workDir: string;
  readonly exportBytesMax: number;
  readonly exportsMax: number;
}

/** Bytes of a file beside its numbers, of each page. */
const PAGE_BYTES = 64 * 1024;

/**
 * HDF5: a group for each estimator, in it one for each page with the datasets `values`, `errors` where any are known,
 * `effective_histories` where they are asked for, and `axis_0` … (bin centres, attached as dimension scales), all with their units as attributes; provenance as attributes of the
 * root. HDF5 knows rows only, so arrays are indexed from the slowest axis to the fastest: the last index is that of `axis_0`.
 *
 * The parts of a file refer to each other, so it is written as a whole before its first byte leaves: into a file without a name
 * in `workDir`, by a thread of its own, one file at a time; so the event loop stays free and memory bounded. Files that wait for their
 * readers take at most `exportsMax` times `exportBytesMax`, of which a user has half; one that is not read goes.
 */
export function createHdf5Writer({ workDir, exportBytesMax, exportsMax }: Hdf5Limits): FileWriter {
  const shares = new DiskShares(exportsMax * exportBytesMax);
  const threads = pLimit(1);
  return async function* (results) {
    const bytes = requireRoom(results, exportBytesMax);
    const { userId, signal } = currentContext() ?? {};
    const release = await shares.take(`${userId}`, bytes, signal);
    try {
      const handle = await threads(() => writeFile(workDir, results, signal));
      yield* readWhileWanted(handle, release);
    } finally {
      release();
    }
  };
}

/** Bytes that the file has at most. @throws ServiceError FORMAT_UNSUITABLE */
function requireRoom({ pages }: NumberResults, bytesMax: number): number {
  const bytesOf = (page: NumberPage) =>
    8 * (countNumbers(page) * arraysOf(page).length + page.axes.reduce((sum, { size }) => sum + size, 0)) + PAGE_BYTES;
  const bytes = pages.reduce((sum, page) => sum + bytesOf(page), 0);
  if (bytes <= bytesMax) return bytes;
  const message = `The file would have ${bytes} bytes, and may have ${bytesMax}: ask for one estimator or page`;
  throw fail('FORMAT_UNSUITABLE', { message });
}

/** Writes the file; when this returns it is whole and has no name any more: it goes when it is closed. */
async function writeFile(workDir: string, results: NumberResults, signal: AbortSignal | undefined) {
  signal?.throwIfAborted();
  await mkdir(workDir, { recursive: true });
  const file = path.join(workDir, `${randomUUID()}.h5`);
  const thread = new WriterThread();
  try {
    await thread.send({ kind: 'open', file, attributes: rootAttributes(results) });
    await thread.settle();
    const handle = await open(file, 'r');
    try {
      await rm(file);
      await writePages(thread, results, signal);
      await thread.send({ kind: 'close' });
      await thread.settle();
      return handle;
    } catch (err) {
      await handle.close();
      throw err;
    }
  } finally {
    await thread.close();
    await rm(file, { force: true });
  }
}

function rootAttributes({ header }: NumberResults): Attributes {
  const { job_id, description, primaries, tasks_merged, partial, engine, warnings, version } = provenanceOf(header);
  return {
    job_id,
    primaries: BigInt(primaries),
    tasks_merged: BigInt(tasks_merged),
    partial,
    engine,
    warnings: JSON.stringify(warnings),
    ...(description === undefined ? {} : { description: JSON.stringify(description) }),
    version,
  };
}

async function writePages(
  thread: WriterThread,
  { header, pages }: NumberResults,
  signal: AbortSignal | undefined,
): Promise<void> {
  const made = new Set<string>();
  for (const [page, { estimator, page: number }] of namePages(pages)) {
    if (!made.has(estimator)) {
      await thread.send({ kind: 'group', path: estimator, attributes: { name: page.estimatorName } });
      made.add(estimator);
    }
    const readings = await readingsOf(page, header.description);
    await writePage(thread, page, readings, { folder: `${estimator}/${number}`, signal });
  }
}

async function writePage(
  thread: WriterThread,
  page: NumberPage,
  readings: readonly Reading[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { axes, unit, pageName, errorBatches } = page;
  const metadata = Buffer.from(await page.metadata()).toString();
  const attributes = {
    name: pageName,
    unit,
    ...(readings.length === 0 ? {} : { readings: JSON.stringify(readings) }),
    ...(metadata === '' ? {} : { metadata }),
    ...(errorBatches === undefined ? {} : { error_batches: BigInt(errorBatches) }),
  };
  await thread.send({ kind: 'group', path: folder, attributes });
  for (const [axis, { name, unit: axisUnit, size }] of axes.entries()) {
    const path = `${folder}/axis_${axis}`;
    await thread.send({ kind: 'dataset', path, shape: [size], attributes: { name, unit: axisUnit } });
    await thread.sendNumbers(await page.centers(axis));
    await thread.send({ kind: 'end', scales: [] });
  }
  const scales = axes.map(({ name }, axis) => ({ path: `${folder}/axis_${axis}`, label: name })).toReversed();
  const shape = axes.map(({ size }) => size).toReversed();
  for (const { name, read } of arraysOf(page)) {
    const attributes = { unit: name === 'effective_histories' ? '' : unit };
    await thread.send({ kind: 'dataset', path: `${folder}/${name}`, shape, attributes });
    for await (const numbers of read()) {
      signal?.throwIfAborted(); // nobody waits for the file any more
      await thread.sendNumbers(numbers);
    }
    await thread.send({ kind: 'end', scales });
  }
}
