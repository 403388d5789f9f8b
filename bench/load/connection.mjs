// A client of HTTP/1.1 that costs little: a request is encoded once and written as one piece, an answer is only counted
// unless its body is asked for. One request at a time on a connection.
import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';
const TIMEOUT_MS = 900_000;

const hostOf = (baseUrl) => new URL(baseUrl).host;

/** The bytes of a request; a body that is neither text nor bytes is sent as JSON. */
export function encodeRequest(baseUrl, { method = 'GET', path = '/', headers = {}, body }) {
  const payload = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(asText(body));
  const all = { Host: hostOf(baseUrl), Accept: '*/*', ...headers };
  if (payload !== undefined)
    Object.assign(all, { 'Content-Type': 'application/json', 'Content-Length': payload.length });
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return payload === undefined ? head : Buffer.concat([head, payload]);
}

const asText = (body) => (typeof body === 'string' ? body : JSON.stringify(body));

/** Reads one answer from its pieces. */
class AnswerReader {
  status = 0;
  bytes = 0;
  head = '';
  chunks;
  #start = Buffer.alloc(0);
  #lengthBytes = -1;
  #isChunked = false;
  #tail = '';

  constructor(keepsBody) {
    if (keepsBody) this.chunks = [];
  }

  /** Takes a piece; true: the answer is whole. */
  take(piece) {
    if (this.status !== 0) return this.#takeBody(piece);
    this.#start = Buffer.concat([this.#start, piece]);
    const end = this.#start.indexOf(HEAD_END);
    if (end < 0) return false;
    this.head = this.#start.toString('latin1', 0, end);
    const lower = this.head.toLowerCase();
    this.status = Number(this.head.slice(9, 12));
    this.#isChunked = /\r\ntransfer-encoding:\s*chunked/.test(lower);
    this.#lengthBytes = Number(/\r\ncontent-length:\s*(\d+)/.exec(lower)?.[1] ?? -1);
    if (this.status === 204 || this.status === 304) this.#lengthBytes = 0;
    return this.#takeBody(this.#start.subarray(end + HEAD_END.length));
  }

  #takeBody(piece) {
    this.bytes += piece.length;
    this.chunks?.push(piece);
    if (!this.#isChunked) return this.#lengthBytes >= 0 && this.bytes >= this.#lengthBytes;
    const end = piece.subarray(-LAST_CHUNK.length).toString('latin1');
    this.#tail = (this.#tail + end).slice(-LAST_CHUNK.length);
    return this.#tail === LAST_CHUNK;
  }

  /** Without a length the answer ends with the connection. */
  get endsWithConnection() {
    return this.status !== 0 && this.#lengthBytes < 0 && !this.#isChunked;
  }

  get closesConnection() {
    return /\r\nconnection:\s*close/i.test(this.head);
  }

  body() {
    const bytes = Buffer.concat(this.chunks ?? []);
    return this.#isChunked ? joinChunks(bytes) : bytes;
  }
}

function joinChunks(bytes) {
  const chunks = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    const size = lineEnd < 0 ? 0 : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!size) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/** A connection that is made when it is needed and kept while the server keeps it. */
export class Connection {
  #socket;

  constructor(baseUrl) {
    const [host, port] = hostOf(baseUrl).split(':');
    this.address = { host, port: Number(port) };
  }

  close() {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Sends an encoded request; resolves to its AnswerReader when the answer is whole. */
  async send(request, keepsBody = false) {
    const isNew = this.#socket === undefined || this.#socket.destroyed;
    if (isNew) await this.#connect();
    try {
      return await this.#exchange(request, keepsBody);
    } catch (err) {
      this.close();
      if (isNew || !err.isSilent) throw err;
      // an idle connection may be closed at any moment: once more on another one
      await this.#connect();
      return this.#exchange(request, keepsBody);
    }
  }

  #connect() {
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.address);
      socket.setNoDelay(true);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.on('error', () => {}); // while nobody waits for an answer
        this.#socket = socket;
        resolve();
      });
    });
  }

  #exchange(request, keepsBody) {
    const socket = this.#socket;
    const reader = new AnswerReader(keepsBody);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(`no answer in ${TIMEOUT_MS} ms`), TIMEOUT_MS);
      const listeners = {
        data: (piece) => reader.take(piece) && finish(),
        error: (err) => (reader.status === 0 ? fail(err.message) : undefined),
        close: () => (reader.endsWithConnection ? finish() : fail('connection closed before the end of the answer')),
      };
      const leave = () => {
        clearTimeout(timer);
        for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      };
      const finish = () => {
        leave();
        if (reader.closesConnection) this.close();
        resolve(reader);
      };
      const fail = (message) => {
        leave();
        reject(Object.assign(new Error(message), { isSilent: reader.head === '' }));
      };
      for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
      socket.write(request);
    });
  }
}

/** Sends one request on a connection of its own: `{status, ms, bytes, cookies, json}`. */
export async function sendOnce(baseUrl, request, { parses = true } = {}) {
  const connection = new Connection(baseUrl);
  try {
    const encoded = encodeRequest(baseUrl, request);
    const startedAt = performance.now();
    const answer = await connection.send(encoded, parses);
    const ms = performance.now() - startedAt;
    const text = parses ? answer.body().toString() : '';
    const cookies = [...answer.head.matchAll(/\r\nset-cookie:\s*([^;\r\n]+)/gi)].map(([, cookie]) => cookie);
    return { status: answer.status, ms, bytes: answer.bytes, cookies, json: parseJson(text), text };
  } finally {
    connection.close();
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
