import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fail, invalidField } from '../errors.js';
import type { ProjectText } from './project.js';

export interface ProjectLimits {
  /** Longest JSON text, bytes. */
  readonly projectBytesMax: number;
}

const TITLE_LENGTH_MAX = 256;
const NOTE_LENGTH_MAX = 256;
const UNTITLED = 'Untitled';
/** What breaks a line, or is no character. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const pack = promisify(gzip);

/**
 * The JSON text of a project, to be kept as it is: nothing but that it is a JSON object is asked of it, so that what is half done is kept,
 * too. Its own title comes with it.
 * @throws ServiceError PROJECT_TOO_LARGE, REQUEST_INVALID
 */
export async function readProjectText(
  { projectBytesMax }: ProjectLimits,
  json: Uint8Array,
): Promise<{ readonly text: ProjectText; readonly title: string }> {
  if (json.byteLength > projectBytesMax) {
    const message = `project has ${json.byteLength} bytes, more than the ${projectBytesMax} allowed`;
    throw fail('PROJECT_TOO_LARGE', { message, fields: [{ field: '/project', message: 'is too large' }] });
  }
  const title = readOwnTitle(parseObject(json));
  const hash = createHash('sha256').update(json).digest('hex');
  return { text: { hash, sizeBytes: json.byteLength, packed: await pack(json) }, title };
}

function parseObject(json: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(json));
  } catch {
    throw invalidField('/project', 'is not JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('/project', 'must be an object');
  }
  return value;
}

/** As the editor writes it, in one line. */
function readOwnTitle(project: object): string {
  const head: unknown = Object.hasOwn(project, 'project') ? Reflect.get(project, 'project') : undefined;
  const title: unknown =
    typeof head === 'object' && head !== null && Object.hasOwn(head, 'title') ? Reflect.get(head, 'title') : undefined;
  if (typeof title !== 'string') return UNTITLED;
  const line = title.replaceAll(new RegExp(UNSEEN, 'gu'), ' ').trim();
  return (
    line
      .slice(0, TITLE_LENGTH_MAX)
      .replace(/\p{Cs}$/u, '')
      .trim() || UNTITLED
  );
}

/** A title that somebody gives. @throws ServiceError REQUEST_INVALID */
export function checkProjectTitle(title: string): string {
  const line = title.trim();
  if (line === '' || line.length > TITLE_LENGTH_MAX || UNSEEN.test(line)) {
    throw invalidField('/title', `must be one line of 1 to ${TITLE_LENGTH_MAX} characters`);
  }
  return line;
}

/** What a revision is, for people; empty: nothing. @throws ServiceError REQUEST_INVALID */
export function checkNote(note: string): string {
  const line = note.trim();
  if (line.length > NOTE_LENGTH_MAX || UNSEEN.test(line)) {
    throw invalidField('/note', `must be one line of at most ${NOTE_LENGTH_MAX} characters`);
  }
  return line;
}
