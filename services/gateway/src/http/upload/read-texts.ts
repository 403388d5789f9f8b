import { gzipSync } from 'node:zlib';
import { jsonStringText } from '@tally/number-text';
import { inTurns } from '../answer/in-turns.js';
import { fail } from '../errors.js';
import { parseMember } from '../request/body.js';
import { joinPieces } from '../request/join-pieces.js';
import { JsonScanner } from '../request/json-scanner.js';
import { validate } from '../request/validate.js';
import { uploadedLogfiles } from '../schemas/worker.js';

/** Text of a log as results takes it in one call, whole characters: gzip members, or, where it is short, as it is. */
export type LogPart =
  | { readonly textBytes: number; readonly members: readonly Buffer[] }
  | { readonly textBytes: number; readonly content: Buffer };

/** Text that results keeps as it is, bytes. */
const SHORT_TEXT_BYTES = 8 * 1024;
/** Members of one call; see results_service.proto. */
const MEMBERS_MAX = 16;
/**
 * Logs repeat themselves: the fastest level leaves a fifth of most of them. With half of the memory, 128 KiB of each member, which V8
 * takes into account, it is no slower and leaves no more.
 */
const GZIP = { level: 1, windowBits: 14, memLevel: 7 };
/** What is no text is refused, and is read for the sake of the message only: what is longer is not. */
const OTHER_BYTES_MAX = 10_000;
const PASSED_BYTES = 64 * 1024;
const QUOTE = 0x22;

/**
 * Texts of log files by key, others served meanwhile.
 * @param json - a JSON object in UTF-8, as it was sent
 * @throws ServiceError REQUEST_INVALID, BODY_MALFORMED
 */
export async function readLogfiles(json: Buffer): Promise<ReadonlyMap<string, readonly LogPart[]>> {
  const logs = new Map<string, readonly LogPart[]>();
  const values = new Map<string, unknown>();
  for (const [key, value] of await membersOf(json)) {
    if (value[0] === QUOTE) logs.set(key, await readLog(value));
    values.set(key, value[0] === QUOTE ? '' : value.length > OTHER_BYTES_MAX ? null : parseMember(value));
  }
  const { logfiles } = validate(uploadedLogfiles, { logfiles: Object.fromEntries(values) });
  return new Map(Object.keys(logfiles).map((key) => [key, logs.get(key) ?? []]));
}

/** What a JSON string says, UTF-8, others served meanwhile. @param json - with its quotes. @throws ServiceError BODY_MALFORMED */
export async function readText(json: Uint8Array): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of textPieces(json, (text) => Buffer.from(text))) pieces.push(piece);
  return joinPieces(pieces);
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

async function readLog(json: Uint8Array): Promise<readonly LogPart[]> {
  const parts: { textBytes: number; members: Buffer[] }[] = [];
  const pack = (text: Uint8Array) => {
    const isShort = parts.length === 0 && text.byteLength <= SHORT_TEXT_BYTES;
    return { length: text.byteLength, isShort, bytes: isShort ? Buffer.from(text) : gzipSync(text, GZIP) };
  };
  for await (const { length, isShort, bytes } of textPieces(json, pack)) {
    if (isShort) return [{ textBytes: length, content: bytes }];
    let part = parts.at(-1);
    if (part === undefined || part.members.length === MEMBERS_MAX) {
      part = { textBytes: 0, members: [] };
      parts.push(part);
    }
    part.members.push(bytes);
    part.textBytes += length;
  }
  return parts.length === 0 ? [{ textBytes: 0, content: NOTHING }] : parts;
}

const NOTHING = Buffer.alloc(0);

async function* textPieces<Taken extends { readonly length: number }>(
  json: Uint8Array,
  take: (text: Uint8Array) => Taken,
): AsyncGenerator<Taken> {
  try {
    yield* inTurns(jsonStringText(json, take));
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}
