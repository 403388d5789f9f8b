import { fail } from '../../errors.js';
import { parseMember } from '../request/body.js';
import { inTurns } from '../request/in-turns.js';
import { joinPieces } from '../request/join-pieces.js';
import { JsonScanner } from '../request/json-scanner.js';
import { validate } from '../request/validate.js';
import { uploadedLogfiles } from '../schemas/worker.js';
import { jsonStringText } from './json-string.js';

/** What is no text is refused, and is read for the sake of the message only: what is longer is not. */
const OTHER_BYTES_MAX = 10_000;
const PASSED_BYTES = 64 * 1024;
const QUOTE = 0x22;
const EMPTY = Buffer.from('""');

/**
 * Log files by key, each as a JSON string that can be read with {@link textPieces}; all have been read once. Others are served
 * meanwhile.
 * @param json - a JSON object in UTF-8, as it was sent
 * @throws ServiceError REQUEST_INVALID, BODY_MALFORMED
 */
export async function readLogfiles(json: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const members = await membersOf(json);
  const values = new Map<string, unknown>();
  for (const [key, value] of members) {
    if (value[0] === QUOTE) for await (const _ of textPieces(value));
    values.set(key, value[0] === QUOTE ? '' : value.length > OTHER_BYTES_MAX ? null : parseMember(value));
  }
  const { logfiles } = validate(uploadedLogfiles, { logfiles: Object.fromEntries(values) });
  return new Map(Object.keys(logfiles).map((key) => [key, members.get(key) ?? EMPTY]));
}

/** What a JSON string says, UTF-8, others served meanwhile. @param json - with its quotes. @throws ServiceError BODY_MALFORMED */
export async function readText(json: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of textPieces(json)) pieces.push(piece);
  return joinPieces(pieces);
}

/** The same in pieces of whole characters, at most a megabyte each. */
export async function* textPieces(json: Buffer): AsyncGenerator<Buffer> {
  try {
    yield* inTurns(jsonStringText(json));
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}

async function membersOf(json: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const without = Number.POSITIVE_INFINITY; // what is in the body has been counted
  const scanner = new JsonScanner({ keysMax: without, valuesMax: without, membersMax: without });
  for await (const piece of inTurns(piecesOf(json))) scanner.push(piece);
  return scanner.members(json);
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PASSED_BYTES) yield bytes.subarray(from, from + PASSED_BYTES);
}
