import { decodeTaskOutput, MergeError, type TaskOutput, type TaskPage } from '@tally/merge';
import type { Manifest, OutputFolder } from '../driver.js';
import { MANIFEST_FILE } from '../output/read-manifest.js';
import { OutputError } from '../output-error.js';
import { OUTPUT_FILE } from './deck-files.js';

/** Stands in the unit of every quantity per primary. */
const PER_PRIMARY = '/prim';

/**
 * The output that the engine wrote, already in the form in which tasks are merged; pages that the project scales to a
 * number of primaries lose "per primary" from their unit.
 * @throws OutputError `MISSING` without the file, `UNREADABLE` when it is cut short or not the engine's
 */
export async function outputs(folder: OutputFolder): Promise<TaskOutput> {
  const manifest = parseManifest(await readFile(folder, MANIFEST_FILE));
  const output = parseOutput(await readFile(folder, OUTPUT_FILE));
  const absolute = new Set(
    manifest.estimators.flatMap(({ name, pages }) =>
      pages.filter((page) => page.isAbsolute).map((page) => pageKey(name, page.pageNumber)),
    ),
  );
  const describe = (page: TaskPage): TaskPage =>
    absolute.has(pageKey(page.estimatorName, page.pageNumber))
      ? { ...page, unit: page.unit.replace(PER_PRIMARY, '') }
      : page;
  return { ...output, pages: output.pages.map(describe) };
}

async function readFile(folder: OutputFolder, name: string): Promise<Uint8Array> {
  if (!folder.names.includes(name)) throw new OutputError('MISSING', name, 'is not in the task folder');
  return folder.read(name);
}

function parseOutput(bytes: Uint8Array): TaskOutput {
  try {
    return decodeTaskOutput(bytes);
  } catch (error) {
    if (!(error instanceof MergeError)) throw error;
    throw new OutputError('UNREADABLE', OUTPUT_FILE, error.message, { cause: error });
  }
}

/** The converter's own file, as it came with the deck. */
function parseManifest(bytes: Uint8Array): Manifest {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
  } catch (error) {
    throw new OutputError('UNREADABLE', MANIFEST_FILE, 'is not JSON', { cause: error });
  }
}

function pageKey(estimatorName: string, pageNumber: number): string {
  return `${pageNumber}:${estimatorName}`;
}
