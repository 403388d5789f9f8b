import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { newId, splitAddress } from '@tally/service-kit';
import type { Express } from 'express';
import { fail } from '../../errors.js';
import { toProblem } from '../answer/problem.js';
import { hasBody } from '../request/body.js';

/*
 * Beside Express: what happens before there is a request for it (limits of headers and time, no HTTP at all), and how the server
 * stops without cutting answers.
 */

export interface HttpServerOptions {
  /** host:port; port 0 picks a free one. */
  readonly address: string;
  readonly app: Express;
  readonly headerBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly receiveTimeoutMs: number;
  /** How long a stop waits for running requests. */
  readonly graceMs: number;
}

export interface HttpServer {
  readonly port: number;
  /** Takes no new connections, waits for running requests at most `graceMs`, then cuts them. */
  stop(): Promise<void>;
}

/** A refused body is read and discarded this long, so that the client gets the answer; then the connection is closed. */
const LINGER_MS = 5_000;
/** How often limits of time are looked at. */
const CHECK_INTERVAL_MS = 2_000;
/** How long an idle connection is kept; longer than common load balancers keep theirs (60 s), which avoids races. */
const KEEP_ALIVE_MS = 65_000;

/** Starts the HTTP server. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app, headerBytesMax, headersTimeoutMs, receiveTimeoutMs } = options;
  let isStopping = false;
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    if (hasBody(req)) res.once('finish', () => cutUnreadBody(req));
    if (!toOriginForm(req) || hasTwoHosts(req)) return refuse(req.socket, 'REQUEST_MALFORMED');
    app(req, res);
  };
  const server = createServer(
    {
      ...messageClasses(app, () => isStopping),
      maxHeaderSize: headerBytesMax,
      headersTimeout: Math.min(receiveTimeoutMs, headersTimeoutMs),
      requestTimeout: receiveTimeoutMs,
      connectionsCheckingInterval: Math.min(receiveTimeoutMs, headersTimeoutMs, CHECK_INTERVAL_MS),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    onRequest,
  );
  // readBody sends 100 Continue; a refusal is answered before the client has sent any of the body
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', (err: NodeJS.ErrnoException, socket: Socket) => refuse(socket, reasonOf(err)));
  const [host, port] = splitAddress(options.address);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      isStopping = true;
      return stopServer(server, options.graceMs);
    },
  };
}

/**
 * Classes of requests and answers that have the prototypes of `app` from the start. Express gives each message these prototypes; to an
 * object whose prototype is changed V8 gives a shape of its own with the next property that is added, so that no look-up in it is
 * cached: bare Express took three times the processor time for a request. A prototype that is set again is not changed: those of `app` become
 * the classes' own.
 * @param isStopping - while it is true, each answer says that its connection will be closed
 */
function messageClasses(app: Express, isStopping: () => boolean) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {
    override writeHead(status: number, ...more: unknown[]): this {
      if (isStopping()) this.setHeader('Connection', 'close');
      return super.writeHead(status, ...(more as []));
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

async function stopServer(server: Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), Math.max(0, graceMs - 500));
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

function cutUnreadBody(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  const cut = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('close', () => clearTimeout(cut));
  req.resume();
}

/** Absolute-form targets (RFC 9112 3.2.2) become origin-form; false for a target that is neither. */
function toOriginForm(req: IncomingMessage): boolean {
  const { url = '' } = req;
  if (url.startsWith('/')) return true;
  if (url === '*' || !URL.canParse(url)) return false;
  const { pathname, search } = new URL(url);
  req.url = `${pathname}${search}`;
  return req.url.startsWith('/');
}

/** Node takes the first of them, and a proxy may have taken the other (RFC 9112 section 3.2 asks for 400). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++;
  return count > 1;
}

type Refusal = 'REQUEST_MALFORMED' | 'HEADERS_TOO_LARGE' | 'REQUEST_TIMEOUT';

function reasonOf(err: NodeJS.ErrnoException): Refusal {
  if (err.code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  return err.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'REQUEST_MALFORMED';
}

/** Answers what is not HTTP, in HTTP and JSON, and closes. */
function refuse(socket: Socket, reason: Refusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = toProblem(fail(reason), newId());
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-ID: ${body.request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
