import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { type TemplateFile, templateFile } from '../schemas/template.js';

/** A template that can be offered. */
export interface Template extends TemplateFile {
  readonly name: string;
  readonly project: Readonly<Record<string, unknown>>;
  /** File of its picture; undefined: it has none. */
  readonly pictureFile: string | undefined;
}

/** Sizes of the files of a template, bytes: all templates stay in memory, but for their pictures. */
const TEMPLATE_BYTES_MAX = 64_000;
const PROJECT_BYTES_MAX = 1_000_000;
const PICTURE_BYTES_MAX = 1_000_000;
/** How far a default may be from the number in the project, relative: both are written by people. */
const TOLERANCE = 1e-9;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Reads the template in a folder, which has its name.
 * @throws Error that says which file is wrong, and where
 */
export function readTemplate(folder: string): Template {
  const file = readJson(folder, 'template.json', TEMPLATE_BYTES_MAX);
  const read = templateFile.safeParse(file);
  if (!read.success) throw new Error(`template.json: ${read.error.issues.map(describeIssue).join('; ')}`);
  const project = readJson(folder, 'project.json', PROJECT_BYTES_MAX);
  if (!isObject(project) || !isObject(project.beam)) throw new Error('project.json: is no project of the editor');
  checkTargets(read.data, project);
  return { ...read.data, name: path.basename(folder), project, pictureFile: findPicture(folder) };
}

function readJson(folder: string, name: string, sizeMax: number): unknown {
  const file = path.join(folder, name);
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new Error(`${name}: is missing`);
  if (size > sizeMax) throw new Error(`${name}: has ${size} bytes, at most ${sizeMax} are allowed`);
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as unknown;
  } catch (err) {
    throw new Error(`${name}: ${err instanceof Error ? err.message : String(err)}`, { cause: err });
  }
}

function findPicture(folder: string): string | undefined {
  const file = path.join(folder, 'picture.png');
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  if (size > PICTURE_BYTES_MAX)
    throw new Error(`picture.png: has ${size} bytes, at most ${PICTURE_BYTES_MAX} are allowed`);
  if (!fs.readFileSync(file).subarray(0, PNG.length).equals(PNG)) throw new Error('picture.png: is no PNG');
  return file;
}

/** The project must be that of the defaults: otherwise what is shown first is not what runs. */
function checkTargets({ parameters }: TemplateFile, project: unknown): void {
  const places = new Map<string, number>();
  for (const { default: value, targets } of parameters)
    for (const { pointer, scale = 1, offset = 0 } of targets)
      places.set(pointer, (places.get(pointer) ?? 0) + value * scale + offset);
  for (const [pointer, wanted] of places) {
    const found = valueAt(project, pointer);
    if (typeof found !== 'number') throw new Error(`project.json: has no number at ${pointer}`);
    if (Math.abs(found - wanted) > TOLERANCE * Math.max(1, Math.abs(wanted)))
      throw new Error(`project.json: has ${found} at ${pointer}, but the defaults of the parameters make ${wanted}`);
  }
}

function valueAt(project: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((owner, name) => {
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof owner !== 'object' || owner === null || !Object.hasOwn(owner, member)) return undefined;
    return Reflect.get(owner, member) as unknown;
  }, project);
}

const describeIssue = ({ path: place, message }: z.core.$ZodIssue): string =>
  place.length === 0 ? message : `/${place.map(String).join('/')} ${message}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
