import { withContext } from '@tally/service-kit';
import type { Request, Response } from 'express';
import { acceptsGzip, respond } from './answer/respond.js';
import { sendEvents } from './answer/send-events.js';
import type { AppOptions } from './app-options.js';
import { fail } from './errors.js';
import { checkBodyHeaders, hasBody, type JsonBody, parseJsonBody, readBody, receiveBody } from './request/body.js';
import { NumberTaker, TakenNumbers } from './request/number-runs.js';
import { factsOf } from './request/request-log.js';
import { parseQuery, pickHeaders, validate } from './request/validate.js';
import type { RequestClass, Route } from './route.js';

/** Notes a source that breaks off in the middle of an answer while the client still listens. */
async function* watched<T>(text: AsyncIterable<T>, req: Request, res: Response, gone: AbortSignal): AsyncGenerator<T> {
  try {
    yield* text;
  } catch (err) {
    factsOf(req).isCut = res.headersSent && !gone.aborted;
    throw err;
  }
}

/** Checks a request, has its route answer and sends the answer, streams included, in the request's context. */
export async function handleRequest(
  options: AppOptions,
  route: Route,
  req: Request,
  res: Response,
  gone: AbortSignal,
): Promise<void> {
  const known = factsOf(req);
  const session = await options.authHook.authenticate(route.auth, req.headers.cookie);
  if (session !== undefined) known.userId = session.userId;
  const query = route.query === undefined ? undefined : validate(route.query, parseQuery(req.url));
  known.jobId = jobIdOf(query);
  const headers =
    route.headers === undefined ? undefined : validate(route.headers, pickHeaders(route.headers, req.headers));
  const json = route.body === undefined ? undefined : await receive(options, route, req, res);
  const body = route.body === undefined ? undefined : validate(route.body, json?.value);
  const timeoutMs = timeLimitMs(options, route.requestClass);
  const context = {
    requestId: known.requestId,
    ...(timeoutMs === undefined ? {} : { deadline: new Date(Date.now() + timeoutMs) }),
    ...(session === undefined ? {} : { userId: session.userId }),
  };
  const call = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(route.method === 'GET' ? { signal: gone } : {}),
  };
  await withContext(context, async () => {
    const answer = await route.handle(
      {
        session,
        query,
        body,
        headers,
        raw: json?.raw ?? new Map(),
        numbers: json?.numbers ?? new TakenNumbers(),
        acceptsGzip: acceptsGzip(req),
        cookies: req.headers.cookie,
        remoteAddress: (req.ip ?? '').replace(/^::ffff:/, ''), // IPv4 on a socket that takes both
        header: (name) => req.get(name),
        call,
      },
      options.services,
    );
    const { event_heartbeat_ms: heartbeatMs } = options.services.limits;
    if (answer.kind === 'json') await respond(req, res, answer);
    else if (answer.kind === 'stream') {
      const { text, gzip } = answer;
      const watchedGzip = gzip === undefined ? {} : { gzip: watched(gzip, req, res, gone) };
      await respond(req, res, { ...answer, text: watched(text, req, res, gone), ...watchedGzip });
    } else await sendEvents(req, res, { ...answer, events: watched(answer.events, req, res, gone) }, heartbeatMs);
  });
}

async function receive(
  { services: { limits }, bodies }: AppOptions,
  route: Route,
  req: Request,
  res: Response,
): Promise<JsonBody & { readonly numbers?: TakenNumbers }> {
  if (!hasBody(req)) throw fail('REQUEST_INVALID', { message: 'The request needs a body: a JSON object' });
  const share = bodies.open();
  res.once('close', () => share.release());
  if (route.takesNumbers === true) {
    checkBodyHeaders(req, limits.results_bytes_max);
    const { submission_bytes_max: textBytesMax, result_numbers_max: numbersMax } = limits;
    const taker = new NumberTaker({ textBytesMax, numbersMax, hold: (bytes) => share.hold(bytes) });
    await receiveBody(req, res, limits.results_bytes_max, (piece) => taker.push(piece));
    const { text, numbers } = taker.end();
    return { ...parseJsonBody(text, route.rawMembers, route.rawTexts), numbers };
  }
  const bytesMax = route.requestClass === 'submission' ? limits.submission_bytes_max : limits.body_bytes_max;
  checkBodyHeaders(req, bytesMax);
  share.hold(Number(req.headers['content-length'] ?? bytesMax));
  return parseJsonBody(await readBody(req, res, bytesMax), route.rawMembers, route.rawTexts);
}

function timeLimitMs({ services: { limits } }: AppOptions, requestClass: RequestClass = 'plain'): number | undefined {
  switch (requestClass) {
    case 'plain':
      return limits.call_timeout_ms;
    case 'submission':
      return limits.submit_timeout_ms;
    case 'stream':
      return limits.stream_timeout_ms;
    case 'events':
      return undefined;
  }
}

function jobIdOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('job_id' in query)) return undefined;
  return typeof query.job_id === 'string' ? query.job_id : undefined;
}
