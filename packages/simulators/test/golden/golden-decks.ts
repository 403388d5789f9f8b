import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConversionError } from '../../src/conversion-error.js';
import type { Conversion } from '../../src/driver.js';
import type { Project } from '../../src/project/project.js';
import { readProject } from '../../src/project/read-project.js';
import { GOLDEN_PROJECTS } from './projects.js';
import { SELECTION_PROJECTS } from './selection-projects.js';

const PROJECTS = { ...GOLDEN_PROJECTS, ...SELECTION_PROJECTS };

/** What a conversion gives, as files: the deck and `warnings.json`, or `refused.json`. */
export type GoldenFiles = Readonly<Record<string, string>>;

/** Projects that a driver has golden files of: kinds of particles and spectra in zones are for simB and simC. */
export function listGoldenNames(driver: string): string[] {
  return Object.keys(['sim-b', 'sim-c'].includes(driver) ? PROJECTS : GOLDEN_PROJECTS);
}

/** Converts a golden project; a refusal is a result like any other. */
export function convertGolden(convert: (project: Project) => Conversion, name: string): GoldenFiles {
  try {
    const { files, warnings } = convert(readProject(PROJECTS[name]));
    const readable = Object.entries(files).map(([file, text]) => [file, indentJson(file, text)]);
    return {
      ...Object.fromEntries(readable),
      ...(warnings.length > 0 ? { 'warnings.json': toJson(warnings) } : {}),
    } as GoldenFiles;
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    return { 'refused.json': toJson(err.items) };
  }
}

/** Golden files of a project; the folder is `test/golden/<driver>/<project>`. */
export function readGolden(root: string, driver: string, name: string): GoldenFiles {
  const folder = path.join(root, driver, name);
  return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

/** Writes them anew: only after what changed has been read by someone who knows the format. */
export function writeGolden(root: string, driver: string, name: string, files: GoldenFiles): void {
  const folder = path.join(root, driver, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
}

function indentJson(file: string, text: string): string {
  return file.endsWith('.json') ? toJson(JSON.parse(text)) : text;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
