import type { TaskOutput } from '@tally/merge';
import type { OutputFolder } from '../../driver.js';
import { agreeOnPrimaries } from '../../output/agree-on-primaries.js';
import { createOutputReport } from '../../output/output-report.js';
import { readManifest } from '../../output/read-manifest.js';
import { toTaskOutput } from '../../output/task-pages.js';
import { OutputError } from '../../output-error.js';
import { isUsr, readUsr, type UsrFile } from './read-usr.js';
import type { UsrFileContext } from './usr-context.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'simB';

/** `fl_sim001_fort.21`: input, cycle, logical unit; or the name that the deck gives the unit's file. */
const UNIT_NAME = /\d{3}_fort\.(?<unit>\d+)$/;
const NAMED_UNIT = /\d{3}_(?!fort\.)(?<unit>.+)$/;

/**
 * What a task computed, from the files of its logical units. A file that is sound and holds no detectors, or prints
 * them, is left out where there are others.
 * @param engine - who computed it
 * @param asked - primaries of the task: files of old versions do not count them
 * @throws OutputError
 */
export async function readOutputs(folder: OutputFolder, engine: string, asked: number): Promise<TaskOutput> {
  const manifest = await readManifest(folder, DRIVER_NAME);
  const report = createOutputReport();
  const primaries = agreeOnPrimaries();
  const files: UsrFile[] = [];
  let refusal: OutputError | undefined;
  for (const { name, unit } of await listUnits(folder)) {
    const file = readUnlessForeign(await folder.read(name), { fileName: name, file: unit, report });
    if (file instanceof OutputError) {
      refusal ??= file;
      continue;
    }
    if (file.primaries !== undefined) primaries.add(file.primaries, name);
    files.push(file);
  }
  if (files.length === 0) throw refusal ?? new OutputError('MISSING', '*_fort.*', 'there is no such file');
  const simulated = primaries.value() || asked;
  const pages = files.flatMap((file) => file.toPages(simulated));
  return toTaskOutput({ engine, primaries: simulated, batches: 1, pages, report }, manifest);
}

interface UnitFile {
  readonly name: string;
  /** `PageSource.file`. */
  readonly unit: string;
}

/** @throws OutputError when a unit has several files: a task has one cycle */
async function listUnits(folder: OutputFolder): Promise<UnitFile[]> {
  const units = new Map<string, string>();
  for (const name of [...folder.names].sort()) {
    const unit = (UNIT_NAME.exec(name) ?? NAMED_UNIT.exec(name))?.groups?.unit;
    if (unit === undefined) continue;
    if (!UNIT_NAME.test(name) && !isUsr(await folder.read(name), name)) continue;
    if (units.has(unit)) throw new OutputError('UNREADABLE', name, 'is from another cycle than the first');
    units.set(unit, name);
  }
  return [...units].map(([unit, name]) => ({ name, unit }));
}

/** The reason where the file is sound and not one of detectors. */
function readUnlessForeign(bytes: Uint8Array, context: UsrFileContext): UsrFile | OutputError {
  try {
    return readUsr(bytes, context);
  } catch (err) {
    if (!(err instanceof OutputError) || err.reason !== 'UNSUPPORTED') throw err;
    const reason = err.message.slice(`${context.fileName}: `.length);
    context.report.warn('OUTPUT_LEFT_OUT', context.fileName, reason);
    return err;
  }
}
