import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@tally/launcher';
import type { Gateway, OutputSource } from './gateway.js';
import { GatewayError } from './gateway-error.js';

export interface HttpGatewayOptions {
  readonly url: string;
  /** PEM text of authorities to trust instead of Node's own. */
  readonly authorities: string | undefined;
  readonly jobId: string;
  readonly updateKey: string;
  /** Longest silence of a connection. */
  readonly requestTimeoutMs: number;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Parsed JSON; undefined where the answer is none. */
  readonly body: unknown;
}

/** Content of a request: pieces, and how many bytes they have together. */
interface Content {
  readonly sizeBytes: number;
  readonly pieces: Iterable<string> | AsyncIterable<string>;
}

const ANSWER_BYTES_MAX = 64 * 1024;
const MESSAGE_CHARS_MAX = 300;
const LARGE_BYTES_MIN = 1_000_000;
const CONTINUE_WAIT_MS = 2_000;
/** Bytes that become one piece of base64: a multiple of 3, so that pieces can be put together. */
const BASE64_STEP_BYTES = 3 * 64 * 1024;

/** The worker-facing endpoints over HTTP. Servers must prove who they are; redirections are not followed. */
export function createHttpGateway(options: HttpGatewayOptions): Gateway {
  const identity = { simulation_id: options.jobId, update_key: options.updateKey };
  const post = createPost(options);
  return {
    async updateTask(taskId, update, signal) {
      const answer = await post('tasks', textContent({ ...identity, task_id: taskId, update_dict: update }), signal);
      return { mustStop: memberOf(answer, 'cancel') === true, mustFinish: memberOf(answer, 'finish') === true };
    },
    async appendLog(taskId, offset, text, signal) {
      const key = `task_${taskId}`;
      await post(
        'logfiles',
        textContent({ ...identity, logfiles: { [key]: text }, offsets: { [key]: offset } }),
        signal,
      );
    },
    async putOutput(taskId, output, signal) {
      const members = { ...identity, task_id: taskId, primaries: output.primaries, estimators: [] };
      await post('results', outputContent(members, output), signal);
    },
  };
}

/** Sends a request; resolves to the body of the answer. */
function createPost({ url, authorities, jobId, updateKey, requestTimeoutMs }: HttpGatewayOptions) {
  const base = url.endsWith('/') ? url : `${url}/`;
  // explicit, so that no variable of the environment can turn the check off
  const trust = { rejectUnauthorized: true, ...(authorities === undefined ? {} : { ca: authorities }) };
  const isTls = base.startsWith('https:');
  const agent = isTls ? new https.Agent({ keepAlive: true, ...trust }) : new http.Agent({ keepAlive: true });
  const redact = (text: string) => text.replaceAll(updateKey, '[key]');

  return async (path: string, content: Content, signal: AbortSignal): Promise<unknown> => {
    let answer: Answer;
    try {
      const target = new URL(path, base);
      const headers = {
        'content-type': 'application/json',
        'content-length': content.sizeBytes,
        // the key of a large body is checked before the body is read
        authorization: `Bearer ${updateKey}`,
        'x-job-id': jobId,
        ...(isLarge(content) ? { expect: '100-continue' } : {}),
      };
      const settings = { method: 'POST', agent, headers, signal, timeout: requestTimeoutMs };
      answer = await exchange(isTls ? https.request(target, settings) : http.request(target, settings), content);
    } catch (err) {
      throw new GatewayError(`POST /${path}: ${redact(reasonOf(err))}`);
    }
    const { status, body } = answer;
    if (status >= 200 && status < 300) return body;
    const message = memberOf(body, 'message');
    const detail = typeof message === 'string' ? `: ${message.slice(0, MESSAGE_CHARS_MAX)}` : '';
    const retryAfterMs = parseRetryAfter(answer.retryAfter);
    throw new GatewayError(`POST /${path}: status ${status}${redact(detail)}`, { status, retryAfterMs });
  };
}

async function exchange(request: http.ClientRequest, content: Content): Promise<Answer> {
  const answered = new Promise<Answer>((resolve, reject) => {
    request.once('response', (response) => void readAnswer(response).then(resolve, reject));
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
    request.once('error', reject);
  });
  const captured = captureFault(content.pieces);
  let sent: Promise<void> | undefined;
  try {
    if (isLarge(content)) {
      const early = await Promise.race([answered, continueReceived(request)]);
      if (early !== undefined) return early;
    }
    // its error is reported by `answered`; a server may also answer, and close, before it has read everything
    sent = pipeline(Readable.from(captured.pieces), request).catch(() => {});
    return await answered;
  } catch (err) {
    throw captured.fault() ?? err;
  } finally {
    request.destroy();
    await sent;
  }
}

/** Worth asking whether it will be taken, before it is sent (RFC 9110, 10.1.1). */
function isLarge({ sizeBytes }: Content): boolean {
  return sizeBytes > LARGE_BYTES_MIN;
}

/** Resolves when the server wants the content, or does not answer for a while: there may be an old proxy in between. */
function continueReceived(request: http.ClientRequest): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), CONTINUE_WAIT_MS);
    const done = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    request.once('continue', done).once('close', done);
  });
}

/** The same pieces, and the error of reading them: of an aborted request Node only reports "socket hang up". */
function captureFault(pieces: Content['pieces']) {
  let fault: unknown;
  async function* capture() {
    try {
      yield* pieces;
    } catch (err) {
      fault = err;
      throw err;
    }
  }
  return { pieces: capture(), fault: () => fault };
}

async function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const { statusCode = 0, headers } = response;
  return { status: statusCode, retryAfter: headers['retry-after'], body: parseJson(Buffer.concat(chunks).toString()) };
}

function textContent(value: unknown): Content {
  const text = JSON.stringify(value);
  return { sizeBytes: Buffer.byteLength(text), pieces: [text] };
}

/** The members, and the output as `task_output`, base64: never in memory as a whole. */
function outputContent(members: object, output: OutputSource): Content {
  const head = `${JSON.stringify(members).slice(0, -1)},"task_output":"`;
  const tail = '"}';
  async function* pieces() {
    yield head;
    for await (const step of inSteps(output)) yield step.toString('base64');
    yield tail;
  }
  const sizeBytes = Buffer.byteLength(head) + 4 * Math.ceil(output.sizeBytes / 3) + tail.length;
  return { sizeBytes, pieces: pieces() };
}

/** @throws when the output has another size than announced: the request must not look complete */
async function* inSteps(output: OutputSource): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let leftBytes = output.sizeBytes;
  for await (const chunk of output.open() as AsyncIterable<Buffer>) {
    leftBytes -= chunk.length;
    rest = Buffer.concat([rest, chunk]);
    const ready = rest.length - (rest.length % BASE64_STEP_BYTES);
    if (ready > 0) yield rest.subarray(0, ready);
    rest = rest.subarray(ready);
  }
  if (leftBytes !== 0) throw new Error('the output changes while it is sent');
  yield rest;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // of a proxy in between, perhaps
  }
}

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const ms = Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function reasonOf(err: unknown): string {
  const message = memberOf(err, 'message');
  const text = typeof message === 'string' ? message : String(err);
  const code = errorCode(err) ?? '';
  return (text.includes(code) ? text : `${code} ${text}`).slice(0, MESSAGE_CHARS_MAX);
}
