import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from './errors.js';

/** Keeps the sum of all request bodies in memory under a bound. */
export class BodyBudget {
  #heldBytes = 0;

  constructor(private readonly bytesMax: number) {}

  /** Reserves room. @throws ServiceError OVERLOADED when there is none; @returns how to give it back, once */
  reserve(bytes: number): () => void {
    if (this.#heldBytes + bytes > this.bytesMax) throw fail('OVERLOADED', { retryAfterMs: 1_000 });
    this.#heldBytes += bytes;
    let isHeld = true;
    return () => {
      if (isHeld) this.#heldBytes -= bytes;
      isHeld = false;
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

/**
 * Receives a body whole, at most `bytesMax`; stops reading as soon as there is more.
 * @throws ServiceError BODY_TOO_LARGE, REQUEST_MALFORMED (the client went away in the middle)
 */
export function readBody(req: IncomingMessage, res: ServerResponse, bytesMax: number): Promise<Buffer> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      settle();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bytesMax) finish(() => reject(tooLarge(bytesMax)));
    };
    const onEnd = () => finish(() => resolve(Buffer.concat(chunks, bytes)));
    const onGone = () => finish(() => reject(fail('REQUEST_MALFORMED')));
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A JSON object as it was sent, and parsed. */
export interface JsonBody {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Bytes → JSON object. @throws ServiceError BODY_MALFORMED for anything else */
export function parseJsonBody(bytes: Buffer): JsonBody {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw fail('BODY_MALFORMED');
  }
  if (!isObject(value)) throw fail('BODY_MALFORMED', { message: 'The body must be a JSON object' });
  return { text, value };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
