import type { TaskOutput } from '@tally/merge';
import type { Manifest, OutputFolder } from '../driver.js';
import { readDeckFiles } from '../output/read-deck-files.js';
import { readManifest } from '../output/read-manifest.js';
import { toTaskOutput } from '../output/task-pages.js';
import { TextReader } from '../output/text-reader.js';
import { OutputError } from '../output-error.js';
import { readPrimaries } from './apportion.js';
import { isScorerFile, readScorer, type ScorerFile } from './read-csv.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simD';

const OUTPUT_SUFFIX = '.csv';

/**
 * What a task computed, from the CSV of every scorer; the histories that they stand for are those of the deck. Where
 * every scorer gives standard deviations each history is a batch; else the run is one, and errors come of many tasks.
 * @param engine - who computed it
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const primaries = await readDeckFiles(folder, '.txt', readPrimaries);
  const scorers: ScorerFile[] = [];
  for (const name of listOutputs(folder, manifest)) {
    const reader = new TextReader(await folder.read(name), name);
    if (manifest === undefined && !isScorerFile(reader.peek())) continue;
    const file = manifest === undefined ? name.slice(0, -OUTPUT_SUFFIX.length) : name;
    scorers.push(readScorer(reader, file, primaries));
  }
  if (scorers.length === 0) throw new OutputError('MISSING', `*${OUTPUT_SUFFIX}`, 'there is no such file');
  const batches = scorers.every(({ hasErrors }) => hasErrors) ? primaries : 1;
  const pages = scorers.map(({ page, hasErrors }) =>
    hasErrors && batches === 1 ? { ...page, moments: asOneBatch(page.moments, primaries) } : page,
  );
  return toTaskOutput({ engine, primaries, batches, pages }, manifest);
}

function asOneBatch([sums = new Float64Array()]: readonly Float64Array[], primaries: number): Float64Array[] {
  return [sums, sums.map((sum) => (sum * sum) / primaries)];
}

/** Files of the manifest; without one, those that may be outputs. */
function listOutputs(folder: OutputFolder, manifest: Manifest | undefined): string[] {
  if (manifest === undefined) return folder.names.filter((name) => name.endsWith(OUTPUT_SUFFIX)).sort();
  const files = manifest.estimators.flatMap(({ pages }) => pages.flatMap(({ source }) => source?.file ?? []));
  return [...new Set(files)].map((file) => {
    if (!folder.names.includes(file)) throw new OutputError('MISSING', file, 'there is no such file');
    return file;
  });
}
