import type { TaskOutput } from '@tally/merge';
import type { DeckFiles, Manifest, OutputFolder } from '../driver.js';
import type { NativePage } from '../output/native-page.js';
import { createOutputReport } from '../output/output-report.js';
import { readDeckFiles } from '../output/read-deck-files.js';
import { readManifest } from '../output/read-manifest.js';
import { toTaskOutput } from '../output/task-pages.js';
import { TextReader } from '../output/text-reader.js';
import { OutputError } from '../output-error.js';
import { readPrimaries } from './apportion.js';
import { isHistogram, readHistogram } from './read-histogram.js';
import { isScoreDump, readScoreDump } from './read-score-dump.js';
import { readScoreMeshes, type ScoreMeshes } from './read-score-meshes.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simC';

const OUTPUT_NAME = /\.(?:txt|csv)$/;

/**
 * What a task computed, from score dumps and CSV histograms. Neither says of how many histories: that is what the macro
 * asked for. Sums of squares are over histories, so that every history is a batch.
 * @param engine - who computed it
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const { primaries, meshes } = await readDeckFiles(folder, '.mac', (deck: DeckFiles) => ({
    primaries: readPrimaries(deck),
    // the manifest has the positions of a converted project
    meshes: manifest === undefined ? readScoreMeshes(deck) : undefined,
  }));
  const report = createOutputReport();
  const pages: NativePage[] = [];
  for (const name of listOutputs(folder, manifest)) {
    const read = createReader(name, await folder.read(name), meshes);
    if (read === undefined && manifest === undefined) continue;
    if (read === undefined) throw new OutputError('UNREADABLE', name, 'is neither a score dump nor a histogram');
    pages.push(...read());
  }
  if (pages.length === 0) throw new OutputError('MISSING', '*.txt', 'there is neither a score dump nor a histogram');
  return toTaskOutput({ engine, primaries, batches: primaries, pages, report }, manifest);
}

/** Files of the manifest; without one, those that may be outputs. */
function listOutputs(folder: OutputFolder, manifest: Manifest | undefined): string[] {
  if (manifest === undefined) return folder.names.filter((name) => OUTPUT_NAME.test(name)).sort();
  const files = manifest.estimators.flatMap(({ pages }) => pages.flatMap(({ source }) => source?.file ?? []));
  return [...new Set(files)].map((file) => {
    if (!folder.names.includes(file)) throw new OutputError('MISSING', file, 'there is no such file');
    return file;
  });
}

/** How a file is read, by its first line. */
function createReader(
  name: string,
  bytes: Uint8Array,
  meshes: ScoreMeshes | undefined,
): (() => NativePage[]) | undefined {
  const reader = new TextReader(bytes, name);
  const first = reader.peek();
  if (isScoreDump(first)) return () => readScoreDump(reader, name, meshes);
  return isHistogram(first) ? () => [readHistogram(reader, name)] : undefined;
}
