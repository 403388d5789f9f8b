import type { TaskOutput } from '@tally/merge';
import { ConversionError } from '../../conversion-error.js';
import type { DeckFiles, Manifest, OutputFolder } from '../../driver.js';
import { asOneBatch } from '../../output/native-page.js';
import { createOutputReport } from '../../output/output-report.js';
import { readDeckFiles } from '../../output/read-deck-files.js';
import { readManifest } from '../../output/read-manifest.js';
import { toTaskOutput } from '../../output/task-pages.js';
import { TextReader } from '../../output/text-reader.js';
import { OutputError } from '../../output-error.js';
import { listEvents } from '../histories.js';
import { listIncluded } from '../parameters/read-parameter-file.js';
import { readScorer, type ScorerFile, toScorerFile } from './read-scorer.js';
import { readBinaryCells } from './read-scorer-cells.js';
import { isScorerFile, readScorerHead } from './read-scorer-head.js';
import type { ScorerContext } from './scorer-context.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simD';

const TEXT_SUFFIX = '.csv';
/** Heads of scorers that put their numbers into another file. */
const BINARY_HEAD_SUFFIX = '.binheader';

/** What may be run; files that it includes may have other names. */
const MAIN_FILE = /\.txt$/;

/**
 * What a task computed, from the CSV (or head and binary file) of every scorer. What the simulator calls a history has one of each
 * source; the deck says how many of these events there were. Where every scorer gives their spread each of them is a batch; else
 * the run is one, and errors come of many tasks.
 * @param engine - who computed it
 * @param primaries - of the task
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string, primaries: number): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const events = readEvents(await readParameterFiles(folder));
  const report = createOutputReport();
  const scorers: ScorerFile[] = [];
  for (const name of listOutputs(folder, manifest)) {
    const reader = new TextReader(await folder.read(name), name);
    if (manifest === undefined && !isScorerFile(reader.peek())) continue;
    const file = manifest === undefined ? name.replace(/\.\w+$/, '') : name;
    const context = { file, primaries, events, report };
    const isBinary = name.endsWith(BINARY_HEAD_SUFFIX);
    scorers.push(isBinary ? await readBinaryScorer(folder, reader, context) : readScorer(reader, context));
  }
  if (scorers.length === 0) throw new OutputError('MISSING', `*${TEXT_SUFFIX}`, 'there is no such file of a scorer');
  const batches = scorers.every(({ hasErrors }) => hasErrors) ? events : 1;
  const pages = scorers
    .flatMap((scorer) => scorer.pages)
    .map((page) => (batches === 1 ? asOneBatch(page, primaries) : page));
  return toTaskOutput({ engine, primaries, batches, pages, report }, manifest);
}

async function readParameterFiles(folder: OutputFolder): Promise<DeckFiles> {
  const files: Record<string, string> = { ...(await readDeckFiles(folder, MAIN_FILE)) };
  const texts = Object.values(files);
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const name of listIncluded(text)) {
      if (Object.hasOwn(files, name) || !folder.names.includes(name)) continue;
      const included = new TextDecoder().decode(await folder.read(name));
      files[name] = included;
      texts.push(included);
    }
  }
  return files;
}

/** @throws OutputError `UNREADABLE` when the deck is not there any more */
function readEvents(deck: DeckFiles): number {
  try {
    return listEvents(deck).reduce((sum, count) => sum + count, 0);
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    throw new OutputError('UNREADABLE', '*.txt', `the deck is not what was run: ${err.message}`, { cause: err });
  }
}

async function readBinaryScorer(folder: OutputFolder, reader: TextReader, context: ScorerContext): Promise<ScorerFile> {
  const head = readScorerHead(reader, context.report);
  const name = head.binaryFile ?? `${context.file}.bin`;
  if (!folder.names.includes(name))
    throw new OutputError('MISSING', name, `is not there, and ${reader.fileName} names it`);
  const numbers = readBinaryCells(await folder.read(name), name, head);
  return toScorerFile(head, numbers, reader.fileName, context);
}

/** Files of the manifest; without one, those that may be outputs. */
function listOutputs(folder: OutputFolder, manifest: Manifest | undefined): string[] {
  if (manifest === undefined) {
    const suffixes = [TEXT_SUFFIX, BINARY_HEAD_SUFFIX];
    return folder.names.filter((name) => suffixes.some((suffix) => name.endsWith(suffix))).sort();
  }
  const files = manifest.estimators.flatMap(({ pages }) => pages.flatMap(({ source }) => source?.file ?? []));
  return [...new Set(files)].map((file) => {
    if (!folder.names.includes(file)) throw new OutputError('MISSING', file, 'there is no such file');
    return file;
  });
}
