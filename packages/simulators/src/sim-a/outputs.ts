import type { TaskOutput } from '@tally/merge';
import type { Manifest, OutputFolder } from '../driver.js';
import { agreeOnPrimaries } from '../output/agree-on-primaries.js';
import { createOutputReport } from '../output/output-report.js';
import { readManifest } from '../output/read-manifest.js';
import { toTaskOutput } from '../output/task-pages.js';
import { OutputError } from '../output-error.js';
import { readBdo } from './read-bdo.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simA';

const OUTPUT_SUFFIX = '.bdo';
/** What the simulator puts after the name of an output when it is told the number of a run. */
const RUN_NUMBER = /_?\d{4}$/;

/**
 * What a task computed, from its `*.bdo` files, one an output.
 * @param engine - who computed it
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const names = folder.names.filter((name) => name.endsWith(OUTPUT_SUFFIX)).sort();
  if (names.length === 0) throw new OutputError('MISSING', `*${OUTPUT_SUFFIX}`, 'there is no such file');
  const report = createOutputReport();
  const pages = [];
  const primaries = agreeOnPrimaries();
  for (const name of names) {
    const file = readBdo(await folder.read(name), name, nameOutput(name, manifest));
    primaries.add(file.primaries, name);
    pages.push(...file.pages);
  }
  return toTaskOutput({ engine, primaries: primaries.value(), batches: 1, pages, report }, manifest);
}

/** The output that a file belongs to: the one of its name, or of its name without the number of the run. */
function nameOutput(fileName: string, manifest: Manifest | undefined): string {
  const stem = fileName.slice(0, -OUTPUT_SUFFIX.length);
  if (manifest === undefined) return stem;
  const isOutput = (file: string): boolean =>
    manifest.estimators.some(({ pages }) => pages.some(({ source }) => source?.file === file));
  return isOutput(stem) ? stem : stem.replace(RUN_NUMBER, '');
}
