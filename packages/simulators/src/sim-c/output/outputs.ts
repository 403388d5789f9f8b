import type { TaskOutput } from '@tally/merge';
import type { Manifest, OutputFolder } from '../../driver.js';
import { asOneBatch } from '../../output/native-page.js';
import { createOutputReport } from '../../output/output-report.js';
import { readDeckFiles } from '../../output/read-deck-files.js';
import { readManifest } from '../../output/read-manifest.js';
import { toTaskOutput } from '../../output/task-pages.js';
import { TextReader } from '../../output/text-reader.js';
import { OutputError } from '../../output-error.js';
import { type HistogramContext, isHistogramClass, nameAnalysisClass, readHistogram } from './read-histogram.js';
import { isScoreDump, readScoreDump, type ScoreDumpContext } from './read-score-dump.js';
import { readScoreMeshes } from './read-score-meshes.js';
import type { ScoreFile } from './score-context.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simC';

const MACRO = /\.mac$/;
const OUTPUT_NAME = /\.(?:txt|csv)$/;

/**
 * What a task computed, from score dumps and CSV histograms. Neither says of how many histories. Where all have sums of squares, which are over histories, every history is a batch; else the run is one.
 * @param engine - who computed it
 * @param primaries - of the task
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string, primaries: number): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  // the manifest has the positions of a converted project
  const meshes = manifest === undefined ? readScoreMeshes(await readDeckFiles(folder, MACRO)) : new Map();
  const report = createOutputReport();
  const files: ScoreFile[] = [];
  for (const name of listOutputs(folder, manifest)) {
    const reader = new TextReader(await folder.read(name), name);
    const file = readFile(reader, { file: name, report, meshes, isFluence: manifest !== undefined });
    if (file !== undefined) files.push(file);
    else if (manifest !== undefined)
      throw new OutputError('UNREADABLE', name, 'is neither a score dump nor a histogram');
  }
  if (files.length === 0) throw new OutputError('MISSING', '*.txt', 'there is neither a score dump nor a histogram');
  const batches = files.every(({ hasSquares }) => hasSquares) ? primaries : 1;
  const pages = files.flatMap((file) => file.pages).map((page) => (batches === 1 ? asOneBatch(page, primaries) : page));
  return toTaskOutput({ engine, primaries, batches, pages, report }, manifest);
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

/** By its first line; `undefined` of what is no output, and of other things that an analysis manager writes. */
function readFile(reader: TextReader, context: ScoreDumpContext & HistogramContext): ScoreFile | undefined {
  const first = reader.peek();
  if (isScoreDump(first)) return readScoreDump(reader, context);
  const className = nameAnalysisClass(first);
  if (className === undefined) return undefined;
  if (isHistogramClass(className)) return readHistogram(reader, context);
  context.report.warn('OUTPUT_LEFT_OUT', context.file, `holds ${className}: only histograms are shown`);
  return undefined;
}
