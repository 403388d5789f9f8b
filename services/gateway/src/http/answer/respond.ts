import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { inTurns } from '../request/in-turns.js';
import type { JsonAnswer, StreamAnswer, TextAnswer } from './answer.js';
import { LONG_PIECE_BYTES } from './piece-memory.js';
import type { ProblemAnswer } from './problem.js';
import { readAhead } from './read-ahead.js';

/*
 * Sent here and not by res.json or res.send: answers are streams, compressed while they are made or stored compressed, and
 * their validators come from what they are made of instead of their bytes, so that a 304 costs nothing.
 */

/**
 * Sends an answer. A stream resolves when the client has it, and rejects when it breaks off, after cutting the connection; others
 * are sent at once, and there is nothing to wait for.
 */
export function respond(
  req: Request,
  res: Response,
  answer: JsonAnswer | TextAnswer | StreamAnswer,
): Promise<void> | undefined {
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  if (answer.cookies !== undefined) res.setHeader('Set-Cookie', answer.cookies);
  if (answer.kind === 'stream') return sendStream(req, res, answer);
  if (answer.kind === 'json') sendJson(res, answer.status, answer.body);
  else sendText(req, res, answer);
  return undefined;
}

/** Sends an error. When the answer has already begun, the connection is cut instead. */
export function respondProblem(res: Response, { status, headers, body }: ProblemAnswer): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of ['ETag', 'Content-Encoding', 'Content-Disposition']) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, status, body);
}

function sendJson(res: Response, status: number, body: object): void {
  const text = JSON.stringify(body); // as text, it goes out in one piece with the head
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

function sendText(req: Request, res: Response, { status, text, tag }: TextAnswer): void {
  res.setHeader('Cache-Control', tag === undefined ? 'no-store' : 'private, no-cache');
  if ((tag !== undefined && isKnown(req, res, tag)) || text === undefined) res.writeHead(304).end();
  else
    res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

/** Sets the validator. True: the client has this content. */
function isKnown(req: Request, res: Response, tag: string, isWeak = false): boolean {
  const etag = `"${tag}"`;
  res.setHeader('ETag', isWeak ? `W/${etag}` : etag);
  return matches(req.headers['if-none-match'], etag);
}

/** Most of a streamed answer that is read before its head is sent: most inputs and logs are no larger. No long piece is read over. */
const READ_AHEAD_BYTES = LONG_PIECE_BYTES;

async function sendStream(req: Request, res: Response, answer: StreamAnswer): Promise<void> {
  const { status, text, file, tag } = answer;
  const isGzip = (file?.isCompressible ?? true) && acceptsGzip(req);
  const contentType = file?.contentType ?? 'application/json';
  res.appendHeader('Vary', 'Accept-Encoding');
  if (answer.isNegotiated) res.appendHeader('Vary', 'Accept');
  if (!res.hasHeader('Cache-Control'))
    res.setHeader('Cache-Control', tag === undefined ? 'no-store' : 'private, no-cache');
  if (tag !== undefined && isKnown(req, res, `${tag}${isGzip ? '-gzip' : ''}`, file !== undefined)) {
    res.writeHead(304).end();
    return;
  }
  if (isGzip) res.setHeader('Content-Encoding', 'gzip');
  if (file !== undefined) res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
  if (req.method === 'HEAD') {
    res.writeHead(status, { 'Content-Type': contentType }).end();
    return;
  }
  const begun = await readAhead(inTurns(text), READ_AHEAD_BYTES);
  res.writeHead(status, { 'Content-Type': contentType });
  // for JSON numbers the default level takes much longer and hardly saves bytes
  if (isGzip) await pipeline(begun, createGzip({ level: constants.Z_BEST_SPEED }), res);
  else await pipeline(begun, res);
}

/** Whether streamed answers to this request are compressed. */
function acceptsGzip(req: Request): boolean {
  return req.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/**
 * If-None-Match (RFC 9110 13.1.2): weak comparison with each listed tag. Not req.fresh: fetch() adds `Cache-Control: no-cache` to a request
 * with this header, and Express takes that for a reload.
 */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((listed) => listed.trim().replace(/^W\//, '') === etag);
}

/** Validator made from what determines the content. */
export function tagOf(...facts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const fact of facts) hash.update(`${fact.length}:${fact}`);
  return hash.digest('base64url').slice(0, 27);
}
