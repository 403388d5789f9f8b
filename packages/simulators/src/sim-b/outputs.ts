import type { TaskOutput } from '@tally/merge';
import type { OutputFolder } from '../driver.js';
import { agreeOnPrimaries } from '../output/agree-on-primaries.js';
import { createOutputReport } from '../output/output-report.js';
import { readManifest } from '../output/read-manifest.js';
import { toTaskOutput } from '../output/task-pages.js';
import { OutputError } from '../output-error.js';
import { readUsr } from './read-usr.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simB';

/** `fl_sim001_fort.21`: input, cycle, logical unit. */
const OUTPUT_NAME = /_fort\.(\d+)$/;

/**
 * What a task computed, from its `*_fort.NN` files, one a logical unit.
 * @param engine - who computed it
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const names = folder.names.filter((name) => OUTPUT_NAME.test(name)).sort();
  if (names.length === 0) throw new OutputError('MISSING', '*_fort.*', 'there is no such file');
  const report = createOutputReport();
  const pages = [];
  const primaries = agreeOnPrimaries();
  const units = new Set<string>();
  for (const name of names) {
    const [, unit = ''] = OUTPUT_NAME.exec(name) ?? [];
    if (units.has(unit)) throw new OutputError('UNREADABLE', name, 'is from another cycle than the first');
    units.add(unit);
    const file = readUsr(await folder.read(name), name, unit);
    primaries.add(file.primaries, name);
    pages.push(...file.pages);
  }
  return toTaskOutput({ engine, primaries: primaries.value(), batches: 1, pages, report }, manifest);
}
