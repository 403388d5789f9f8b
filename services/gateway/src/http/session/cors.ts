import type { IncomingMessage, ServerResponse } from 'node:http';

/*
 * Here and not by the package cors: Allow and the methods of a preflight are those of the path, which the routes know.
 */

/** What the routes read, an access token, and what tracers add by themselves (W3C Trace Context, Baggage). */
const REQUEST_HEADERS =
  'Authorization, baggage, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, traceparent, tracestate, X-Request-ID, X-Share-Link';
const RESPONSE_HEADERS = 'Content-Disposition, ETag, Page-Description, Retry-After, X-Request-ID';
const PREFLIGHT_SECONDS = 600;

/** Lets pages of an allowed origin read the answer, with credentials; others get no permission. */
export function allowOrigin(res: ServerResponse, origin: string | undefined, isAllowed: boolean): void {
  res.appendHeader('Vary', 'Origin');
  if (origin === undefined || !isAllowed) return;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Allow-Credentials', 'true');
  res.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
}

/** Answers OPTIONS: what the path takes, and, for a preflight of an allowed origin, what a page may send. */
export function answerOptions(
  req: IncomingMessage,
  res: ServerResponse,
  methods: readonly string[],
  isAllowed: boolean,
): void {
  res.setHeader('Allow', methods.join(', '));
  if (isAllowed && req.headers['access-control-request-method'] !== undefined) {
    res.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    res.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
  }
  res.writeHead(204).end();
}
