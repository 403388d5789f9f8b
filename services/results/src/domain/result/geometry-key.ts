import { createHash } from 'node:crypto';
import { getInput } from '../input/get-input.js';
import type { Reader } from '../job-access.js';
import type { InputStore } from '../ports.js';

/**
 * What a user's jobs with one geometry have in common: places in one of them are places in the others. Of projects of the editor it is made of the
 * shapes and places of the figures, so that a sweep over energies or materials has one; of users' own files of all that was submitted.
 * @returns 64 hexadecimal digits, the same for the same geometry
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function geometryKeyOf(inputs: InputStore, jobId: string, reader: Reader): Promise<string> {
  let [owner, isProject] = [0n, false];
  const pieces: Uint8Array[] = [];
  for await (const part of getInput({ inputs }, jobId, ['submitted'], reader)) {
    if (part.kind === 'header') [owner, isProject] = [part.header.ownerId, part.header.kind === 'editor'];
    if (part.kind === 'bytes') pieces.push(part.bytes);
  }
  const submitted = Buffer.concat(pieces).toString();
  const geometry = (isProject ? readGeometry(submitted) : undefined) ?? submitted;
  return createHash('sha256')
    .update(JSON.stringify([String(owner), geometry]))
    .digest('hex');
}

/** The figures of a project, as the editor has saved it alone or with results. Undefined: it has none by today's names. */
function readGeometry(text: string): unknown {
  const file: unknown = JSON.parse(text);
  const project = memberOf(memberOf(file, 'input'), 'inputJson') ?? memberOf(file, 'inputJson') ?? file;
  const figures = memberOf(memberOf(project, 'figureManager'), 'figures');
  return Array.isArray(figures) ? figures.map(readFigure) : undefined;
}

function readFigure(figure: unknown): unknown {
  const children = memberOf(figure, 'children');
  return [memberOf(figure, 'geometryData'), Array.isArray(children) ? children.map(readFigure) : []];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
