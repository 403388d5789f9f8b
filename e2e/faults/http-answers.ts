import { setTimeout as sleep } from 'node:timers/promises';
import { type HeldRequest, passOn, type WholeAnswer } from '@tally/testkit';
import { pick } from './fault-schedule.js';

/** What stands between a service and a server says this, or the server itself: none of it is about the request. */
const PAGE = '<!doctype html><title>Wartung</title><h1>Wir sind gleich zur\u00fcck</h1>';
const s3Error = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`;
const TEXTS = [
  PAGE,
  'upstream connect error or disconnect/reset before headers',
  'Gr\u00fc\u00dfe',
  '{"error":"temporarily_unavailable"}',
  '{"error":"server_error","error_description":"unknown_error"}',
  '{"error":{"code":503}}',
  '[]',
  '{}',
  'null',
  '"',
  s3Error('SlowDown', 'Please reduce your request rate.'),
  s3Error('InternalError', 'We encountered an internal error. Please try again.'),
  s3Error('RequestTimeout', 'Your socket connection was not read from or written to within the timeout period.'),
  s3Error('RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.'),
  s3Error('NoSuchBucket', 'The specified bucket does not exist'),
  s3Error('NoSuchKey', 'The specified key does not exist.'),
  s3Error('AccessDenied', 'Access Denied'),
  s3Error('ExpiredToken', 'The provided token has expired.'),
  '<?xml version="1.0"?><ListBucketResult></ListBucketResult>',
  '',
] as const;
const STATUSES = [
  200, 200, 202, 204, 206, 301, 302, 307, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 416, 429, 500, 501,
  502, 503, 504, 507, 520,
] as const;

/** What is drawn of an answer. */
interface Draw {
  readonly text: string;
  readonly status: number;
  /** Of [0, 1). */
  readonly share: number;
}
export type HttpGive = (held: HeldRequest) => Promise<unknown>;
type Kinds = Readonly<Record<string, (draw: Draw) => HttpGive>>;

const LATE_MS_MAX = 7_000;

const say = ({ response }: HeldRequest, { text, status }: Draw): unknown => {
  const location = status >= 300 && status < 400 ? { location: 'http://127.0.0.1:9/' } : {};
  return response.writeHead(status, { 'content-type': 'text/html', ...location }).end(text);
};

/** The server's answer with another body. */
const changed =
  (change: (body: Buffer, answer: WholeAnswer) => Buffer): HttpGive =>
  async ({ real, response }) => {
    const answer = await real();
    const body = change(answer.body, answer);
    const { 'transfer-encoding': _chunks, ...headers } = answer.headers;
    response.writeHead(answer.status, { ...headers, 'content-length': body.byteLength }).end(body);
  };

/** Of any HTTP server. */
export const HTTP_KINDS: Kinds = {
  'another answer, nothing done': (draw) => async (held) => say(held, draw),
  'another answer, all done': (draw) => async (held) => {
    await held.real();
    say(held, draw);
  },
  'nothing, nothing done':
    () =>
    async ({ response }) =>
      response.writeHead(200).end(),
  'nothing, all done':
    () =>
    async ({ real, response }) => {
      await real();
      response.writeHead(200).end();
    },
  'another status':
    ({ status }) =>
    async ({ real, response }) => {
      const { headers, body } = await real();
      response.writeHead(status, headers).end(body);
    },
  'cut off':
    ({ share }) =>
    async ({ real, response }) => {
      const { status, headers, body } = await real();
      const { 'transfer-encoding': _chunks, ...others } = headers;
      response.writeHead(status, { ...others, 'content-length': body.byteLength + 1 });
      response.write(body.subarray(0, Math.floor(share * body.byteLength)), () => response.destroy());
    },
  shortened: ({ share }) => changed((body) => body.subarray(0, Math.floor(share * body.byteLength))),
  twice: () => changed((body) => Buffer.concat([body, body])),
  'behind a greeting': ({ text }) => changed((body) => Buffer.concat([Buffer.from(`${text}\n`), body])),
  'in another encoding': () => changed((body) => Buffer.from(`\uFEFF${body.toString()}`, 'utf16le')),
  late:
    ({ share }) =>
    async (held) => {
      await sleep(share * LATE_MS_MAX);
      await passOn(held);
    },
  'no HTTP':
    () =>
    async ({ response }) =>
      response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'connection reset, nothing done':
    () =>
    async ({ response }) =>
      response.socket?.resetAndDestroy(),
  'connection reset, all done':
    () =>
    async ({ real, response }) => {
      await real();
      response.socket?.resetAndDestroy();
    },
};

type Members = Readonly<Record<string, unknown>>;
const changedJson = (change: (members: Members) => unknown): HttpGive =>
  changed((body) => {
    try {
      return Buffer.from(JSON.stringify(change(JSON.parse(body.toString()) as Members)));
    } catch {
      return body; // an error of the realm
    }
  });
const changedKeys = (change: (key: Members) => unknown): HttpGive =>
  changedJson((members) =>
    Array.isArray(members.keys) ? { ...members, keys: (members.keys as Members[]).map(change) } : members,
  );

/** Of an identity provider: documents that could be right. */
export const REALM_KINDS: Kinds = {
  ...HTTP_KINDS,
  'no keys': () => changedJson((members) => ('keys' in members ? { keys: [] } : {})),
  'keys of another realm': () => changedKeys((key) => ({ ...key, n: String(key.n).split('').toReversed().join('') })),
  'keys of another kind': () => changedKeys(({ kid }) => ({ kid, kty: 'oct', k: 'AAAA' })),
  'keys that are broken': () => changedKeys((key) => ({ ...key, n: 17, e: null })),
  'members that are null': () =>
    changedJson((members) => Object.fromEntries(Object.keys(members).map((name) => [name, null]))),
  'of another issuer': () => changedJson((members) => ({ ...members, issuer: 'http://127.0.0.1:9' })),
};

export interface DrawnHttpAnswer {
  readonly kind: string;
  readonly give: HttpGive;
}

export function drawHttpAnswer(kinds: Kinds, random: () => number): DrawnHttpAnswer {
  const kind = pick(Object.keys(kinds), random) ?? '';
  const draw = { text: pick(TEXTS, random) ?? '', status: pick(STATUSES, random) ?? 500, share: random() };
  return { kind, give: kinds[kind]?.(draw) ?? passOn };
}
