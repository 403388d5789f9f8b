import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '../../errors.js';
import type { JsonScanner } from './json-scanner.js';

/*
 * Received here and not by express.json: body-parser answers a body that is too large only when all of it has arrived, bounds
 * each body but not the sum of those that are held, and parses what only another service has to read.
 */

/** True when the request announces a body. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** The name of the encoding, and what many clients call it (WHATWG Encoding, section 4.2). */
const UTF8_NAMES = new Set(['utf-8', 'utf8']);

/**
 * Checks what the headers say of a body, before a byte of it is read.
 * @throws ServiceError CONTENT_TYPE_UNSUPPORTED, BODY_TOO_LARGE
 */
export function checkBodyHeaders(req: IncomingMessage, bytesMax: number): void {
  const [type, ...parameters] = (req.headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isJson = type === 'application/json' && UTF8_NAMES.has((charset ?? 'utf-8').replaceAll('"', ''));
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!isJson || encoding !== 'identity') throw fail('CONTENT_TYPE_UNSUPPORTED');
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function tooLarge(bytesMax: number) {
  return fail('BODY_TOO_LARGE', { message: `The body is too large: at most ${bytesMax} bytes` });
}

/** Least rate of a body after its first seconds, bytes a second over all of it so far: a slow telephone keeps it, a trickle does not. */
export const RECEIVE_RATE_BYTES_MIN = 4_096;

/** How long a body may be slower than the least rate, milliseconds; also between two looks at it. */
const RATE_GRACE_MS = 5_000;

/**
 * Receives a body piece by piece, at most `bytesMax`, without the byte order mark that it may begin with; stops reading as soon as there
 * is more, it is too slow, or a piece is refused. Where `take` returns a promise the body waits for it.
 * @throws ServiceError BODY_TOO_LARGE, REQUEST_TIMEOUT (slower than the least rate), REQUEST_MALFORMED (the client went away
 * in the middle), and what `take` throws
 */
export function receiveBody(
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<void> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let seconds = 0;
    const begin = dropByteOrderMark();
    const finish = (settle: () => void) => {
      clearInterval(rate);
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      settle();
    };
    const refuse = (err: unknown) => finish(() => reject(err));
    const onData = (piece: Buffer) => {
      bytes += piece.length;
      try {
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        const rest = begin(piece);
        const taken = rest.length === 0 ? undefined : take(rest);
        if (!(taken instanceof Promise)) return;
        req.pause();
        taken.then(() => req.resume(), refuse);
      } catch (err) {
        refuse(err);
      }
    };
    const onEnd = () => finish(resolve);
    const onGone = () => refuse(fail('REQUEST_MALFORMED'));
    const rate = setInterval(() => {
      if (req.isPaused()) return; // we are what it waits for
      seconds += RATE_GRACE_MS / 1_000;
      if (bytes < seconds * RECEIVE_RATE_BYTES_MIN) refuse(fail('REQUEST_TIMEOUT'));
    }, RATE_GRACE_MS);
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Gives the pieces of a body as they are, but for a mark at the begin of the first (RFC 8259 section 8.1 lets a parser ignore it). */
function dropByteOrderMark(): (piece: Buffer) => Buffer {
  let held: Buffer | undefined = Buffer.alloc(0);
  return (piece) => {
    if (held === undefined) return piece;
    const head = held.length === 0 ? piece : Buffer.concat([held, piece]);
    if (head.length < BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.subarray(0, head.length).equals(head)) {
      held = head;
      return Buffer.alloc(0);
    }
    held = undefined;
    return head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      ? head.subarray(BYTE_ORDER_MARK.length)
      : head;
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A JSON object, parsed, but for its raw members: passed on as they were sent. */
export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>;
  /** Text of the raw members as they were sent; in `value` an empty one stands for each of them. */
  readonly raw: ReadonlyMap<string, Buffer>;
}

/** Members that only the service parses, or the route itself: they may be large. */
export interface RawNames {
  /** Of objects and lists. */
  readonly members: readonly string[];
  /** Of texts; what is given of them is the JSON string as it was sent. */
  readonly texts: readonly string[];
}

/**
 * Bytes → JSON object.
 * @param scanner - that has seen all of the bytes
 * @throws ServiceError BODY_MALFORMED when it is not one; BODY_TOO_LARGE when members that are read are too large
 */
export function parseBody(bytes: Buffer, scanner: JsonScanner, names: RawNames): JsonBody {
  const members = [...scanner.members(bytes)];
  const isRaw = ([name, value]: readonly [string, Buffer]) =>
    value[0] === QUOTE ? names.texts.includes(name) : names.members.includes(name) && isContainer(value);
  const readBytes = members.reduce((sum, member) => sum + (isRaw(member) ? 0 : member[1].length), 0);
  if (names.members.length > 0 && readBytes > READ_BYTES_MAX) {
    const message = `Only ${names.members.join(', ')} may be larger than ${READ_BYTES_MAX} bytes, and must be objects or lists`;
    throw fail('BODY_TOO_LARGE', { message });
  }
  const parsed = members.map((member) => [member[0], isRaw(member) ? emptyLike(member[1]) : parseMember(member[1])]);
  return { value: Object.fromEntries(parsed) as JsonBody['value'], raw: new Map(members.filter(isRaw)) };
}

const [QUOTE, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5b, 0x7b];

const isContainer = (value: Buffer) => value[0] === OPEN_OBJECT || value[0] === OPEN_LIST;

/** Takes the place of a raw member. */
function emptyLike(raw: Buffer): unknown {
  if (raw[0] === QUOTE) return '';
  return raw[0] === OPEN_OBJECT ? {} : [];
}

/**
 * Parses a member.
 * @throws ServiceError BODY_MALFORMED when it is not JSON in UTF-8
 */
export function parseMember(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (cause) {
    throw fail('BODY_MALFORMED', { cause });
  }
}

/** Most that is parsed here of a body with raw members, bytes: parsing blocks all other requests. */
const READ_BYTES_MAX = 1_000_000;
