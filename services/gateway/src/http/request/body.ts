import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '../errors.js';
import { rawMembers } from './raw-members.js';

/*
 * Received here and not by express.json: body-parser answers a body that is too large only when all of it has arrived, bounds
 * each body but not the sum of those that are held, and parses what only another service has to read.
 */

/** What a request holds of the bound. */
export interface BodyShare {
  /** Takes room. @throws ServiceError OVERLOADED when there is none */
  hold(bytes: number): void;
  /** Gives back everything, once. */
  release(): void;
}

/** Keeps the sum of all request bodies in memory under a bound. */
export class BodyBudget {
  #heldBytes = 0;

  constructor(private readonly bytesMax: number) {}

  /** A share without any room as yet. */
  open(): BodyShare {
    let held = 0;
    return {
      hold: (bytes) => {
        if (this.#heldBytes + bytes > this.bytesMax) throw fail('OVERLOADED', { retryAfterMs: 1_000 });
        this.#heldBytes += bytes;
        held += bytes;
      },
      release: () => {
        this.#heldBytes -= held;
        held = 0;
      },
    };
  }
}

/** True when the request announces a body. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Checks what the headers say of a body, before a byte of it is read.
 * @throws ServiceError CONTENT_TYPE_UNSUPPORTED, BODY_TOO_LARGE
 */
export function checkBodyHeaders(req: IncomingMessage, bytesMax: number): void {
  const [type, ...parameters] = (req.headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isJson = type === 'application/json' && (charset ?? 'utf-8').replaceAll('"', '') === 'utf-8';
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!isJson || encoding !== 'identity') throw fail('CONTENT_TYPE_UNSUPPORTED');
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function tooLarge(bytesMax: number) {
  return fail('BODY_TOO_LARGE', { message: `The body is too large: at most ${bytesMax} bytes` });
}

/** Receives a body whole; like {@link receiveBody}. */
export async function readBody(req: IncomingMessage, res: ServerResponse, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await receiveBody(req, res, bytesMax, (piece) => pieces.push(piece));
  return Buffer.concat(pieces);
}

/**
 * Receives a body piece by piece, at most `bytesMax`; stops reading as soon as there is more, or a piece is refused.
 * @throws ServiceError BODY_TOO_LARGE, REQUEST_MALFORMED (the client went away in the middle), and what `take` throws
 */
export function receiveBody(
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  take: (piece: Buffer) => void,
): Promise<void> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const finish = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      settle();
    };
    const onData = (piece: Buffer) => {
      bytes += piece.length;
      try {
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        take(piece);
      } catch (err) {
        finish(() => reject(err));
      }
    };
    const onEnd = () => finish(resolve);
    const onGone = () => finish(() => reject(fail('REQUEST_MALFORMED')));
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A JSON object, parsed, but for its raw members: passed on as they were sent. */
export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>;
  /** Text of the raw members as they were sent; in `value` an empty one stands for each of them. */
  readonly raw: ReadonlyMap<string, string>;
}

/**
 * Bytes → JSON object.
 * @param rawMemberNames - members that only the service parses: they may be large, and are objects or lists
 * @param rawTextNames - the same for texts; `raw` then holds the JSON string as it was sent
 * @throws ServiceError BODY_MALFORMED when it is not one; BODY_TOO_LARGE when members that are read are too large
 */
export function parseJsonBody(
  bytes: Buffer,
  rawMemberNames: readonly string[] = [],
  rawTextNames: readonly string[] = [],
): JsonBody {
  const text = attempt(() => utf8.decode(bytes));
  if (rawMemberNames.length === 0)
    return { value: asObject(attempt(() => JSON.parse(text) as unknown)), raw: new Map() };
  const members = [...rawMembers(text)];
  const isRaw = ([name, value]: readonly [string, string]) =>
    value.startsWith('"') ? rawTextNames.includes(name) : rawMemberNames.includes(name) && /^[{[]/.test(value);
  const readLength = members.reduce((sum, member) => sum + (isRaw(member) ? 0 : member[1].length), 0);
  if (readLength > READ_LENGTH_MAX) {
    const message = `Only ${rawMemberNames.join(', ')} may be larger than ${READ_LENGTH_MAX} characters, and must be objects or lists`;
    throw fail('BODY_TOO_LARGE', { message });
  }
  const parsed = members.map((member) => [
    member[0],
    isRaw(member) ? emptyLike(member[1]) : attempt(() => JSON.parse(member[1]) as unknown),
  ]);
  return { value: Object.fromEntries(parsed) as JsonBody['value'], raw: new Map(members.filter(isRaw)) };
}

/** Takes the place of a raw member. */
function emptyLike(raw: string): unknown {
  if (raw.startsWith('"')) return '';
  return raw.startsWith('{') ? {} : [];
}

/**
 * Parses a raw member.
 * @throws ServiceError BODY_MALFORMED when it is not JSON inside
 */
export function parseMember(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown);
}

/** Most that is parsed here of a body with raw members, characters: parsing blocks all other requests. */
const READ_LENGTH_MAX = 1_000_000;

function attempt<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}

function asObject(value: unknown): JsonBody['value'] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonBody['value'];
  throw fail('BODY_MALFORMED', { message: 'The body must be a JSON object' });
}
