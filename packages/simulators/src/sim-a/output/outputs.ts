import type { TaskOutput } from '@tally/merge';
import type { Manifest, OutputFolder } from '../../driver.js';
import { agreeOnPrimaries } from '../../output/agree-on-primaries.js';
import { createOutputReport } from '../../output/output-report.js';
import { readManifest } from '../../output/read-manifest.js';
import { toTaskOutput } from '../../output/task-pages.js';
import { OutputError } from '../../output-error.js';
import { hasBdoMagic } from './bdo-tokens.js';
import { readBdo } from './read-bdo.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simA';

/** `.bdo`; `.bdox` of some installations. */
const OUTPUT_SUFFIX = /\.bdox?$/;
/** What the simulator puts after the name of an output when it is told the number of a run. */
const RUN_NUMBER = /_?\d{4}$/;

/**
 * What a task computed, from its `*.bdo` files, one an output.
 * @param engine - who computed it
 * @param asked - primaries of the task, for which maps of the geometry stand, which are of none
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string, asked: number): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const names = await listOutputs(folder);
  if (names.length === 0) throw new OutputError('MISSING', '*.bdo', 'there is no such file');
  const report = createOutputReport();
  const pages = [];
  const primaries = agreeOnPrimaries();
  for (const name of names) {
    const file = readBdo(await folder.read(name), { fileName: name, file: nameOutput(name, manifest), report });
    if (file.primaries !== undefined) primaries.add(file.primaries, name);
    pages.push(...file.pages);
  }
  const simulated = primaries.value() || asked;
  return toTaskOutput({ engine, primaries: simulated, batches: 1, pages, report }, manifest);
}

/** By their names; where there are none, by how they begin: users may name outputs as they like. */
async function listOutputs(folder: OutputFolder): Promise<string[]> {
  const names = folder.names.filter((name) => OUTPUT_SUFFIX.test(name));
  if (names.length > 0) return names.sort();
  const others = [];
  for (const name of folder.names) if (hasBdoMagic(await folder.read(name))) others.push(name);
  return others.sort();
}

/** The output that a file belongs to: the one of its name, or of its name without the number of the run. */
function nameOutput(fileName: string, manifest: Manifest | undefined): string {
  const stem = fileName.replace(OUTPUT_SUFFIX, '');
  if (manifest === undefined) return stem;
  const isOutput = (file: string): boolean =>
    manifest.estimators.some(({ pages }) => pages.some(({ source }) => source?.file === file));
  return isOutput(stem) ? stem : stem.replace(RUN_NUMBER, '');
}
