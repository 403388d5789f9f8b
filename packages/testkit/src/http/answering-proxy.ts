import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NextOnly } from '../next-only.js';

/** A whole answer of a server. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request, to be answered by whoever stands between. */
export interface HeldRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly response: ServerResponse;
  /** Lets the server do its work; safe to repeat. */
  readonly real: () => Promise<WholeAnswer>;
}

/** An HTTP server in front of another one, which gives its answers, or any other. */
export interface AnsweringProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /**
   * Answers the next request that is wanted by this, once. Resolves to whether there was one within the time; the others, and those
   * after it, go to the server.
   */
  answer(give: (held: HeldRequest) => unknown, options: AnswerOptions): Promise<boolean>;
  stop(): Promise<void>;
}

export interface AnswerOptions {
  readonly isWanted?: (request: Pick<HeldRequest, 'method' | 'url'>) => boolean;
  readonly timeoutMs: number;
}

/**
 * Starts it on a port of 127.0.0.1. What it passes on keeps its `Host`, so that signatures stay right.
 * @param target - `host:port` of the server
 */
export async function startAnsweringProxy(target: string, port = 0): Promise<AnsweringProxy> {
  const [host = '', targetPort = ''] = target.split(':');
  const answers = new NextOnly<{
    readonly give: (held: HeldRequest) => unknown;
    readonly isWanted: (held: HeldRequest) => boolean;
  }>();
  const forward = (req: IncomingMessage, body: Buffer): Promise<WholeAnswer> =>
    new Promise((resolve, reject) => {
      const { expect: _expect, ...headers } = req.headers; // answered here
      const sent = request({ host, port: Number(targetPort), method: req.method, path: req.url, headers }, (answer) => {
        readAll(answer).then(
          (content) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content }),
          reject,
        );
      });
      sent.once('error', reject).end(body);
    });
  const handle = async (req: IncomingMessage, response: ServerResponse) => {
    const body = await readAll(req);
    const held: HeldRequest = {
      method: req.method ?? '',
      url: req.url ?? '',
      response,
      real: () => forward(req, body),
    };
    const { give = passOn } = answers.take(({ isWanted }) => isWanted(held)) ?? {};
    await give(held);
  };
  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (give, { isWanted = () => true, timeoutMs }) => answers.offer({ give, isWanted }, timeoutMs),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The answer of the server, as it is. */
export async function passOn({ real, response }: HeldRequest): Promise<void> {
  const { status, headers, body } = await real();
  response.writeHead(status, headers).end(body);
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}
