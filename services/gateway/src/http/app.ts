import { kitError, type Logger, type Metrics, ServiceError, withContext } from '@tally/service-kit';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { toProblem } from './answer/problem.js';
import { respond, respondProblem } from './answer/respond.js';
import { sendEvents } from './answer/send-events.js';
import { createDocs } from './docs.js';
import { fail } from './errors.js';
import { type BodyBudget, checkBodyHeaders, hasBody, type JsonBody, parseJsonBody, readBody } from './request/body.js';
import { factsOf, observeRequests } from './request/request-log.js';
import { parseQuery, pickHeaders, validate } from './request/validate.js';
import type { RequestClass, Route, RouteServices } from './route.js';
import type { AuthHook } from './session/auth-hook.js';
import { hasSessionCookie } from './session/cookies.js';
import { allowOrigin, answerOptions } from './session/cors.js';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly services: RouteServices;
  readonly authHook: AuthHook;
  readonly bodies: BodyBudget;
  /** Receives GETs of paths that are not of the API. */
  readonly frontend?: RequestHandler;
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The Express application: observe, dispatch by path and method, frontend, 404, and one place for every error. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('query parser', false);
  app.set('trust proxy', options.trustedProxies.length === 0 ? false : options.trustedProxies);
  app.use(observeRequests(options.logger, options.metrics));
  const table = tableOf(options.routes);
  const securityHeaders = apiSecurityHeaders();
  app.use((req, res, next) => {
    const methods = table.get(pathOf(req));
    if (methods === undefined) return next();
    res.setHeaders(securityHeaders);
    serve(options, methods, req, res).catch(next);
  });
  app.use(createDocs());
  const { frontend } = options;
  if (frontend !== undefined) {
    app.use((req, res, next) => (req.method === 'GET' || req.method === 'HEAD' ? frontend(req, res, next) : next()));
  }
  app.use((req, res) => {
    permitOrigin(options, req, res);
    throw fail('PATH_NOT_FOUND');
  });
  app.use((err: unknown, req: Request, res: Response, _next: NextFunction) => {
    const known = factsOf(req);
    if (res.destroyed && !known.isCut) return; // the client went away: there is nobody to tell
    const problem = toProblem(err, known.requestId);
    known.code = problem.body.code;
    if (isOurs(err, problem.status)) options.logger.error({ err, request_id: known.requestId }, 'request failed');
    respondProblem(res, problem);
  });
  return app;
}

/** Helmet's headers for answers that no page loads: the same for all of them, so that helmet is asked once. */
function apiSecurityHeaders(): Map<string, string> {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });
  secure({} as Request, recorder as unknown as Response, (err) => {
    if (err !== undefined) throw new Error('helmet failed', { cause: err });
  });
  return headers;
}

type Methods = ReadonlyMap<string, Route>;

function tableOf(routes: readonly Route[]): ReadonlyMap<string, Methods> {
  const table = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = table.get(route.path) ?? new Map<string, Route>();
    if (methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    table.set(route.path, methods.set(route.method, route));
  }
  return table;
}

/** Methods of a path as Allow names them: HEAD goes wherever GET goes. */
function allowed(methods: Methods): string[] {
  return [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

/** Lets pages of an allowed origin read the answer. */
function permitOrigin({ authHook }: AppOptions, req: Request, res: Response) {
  const origin = req.get('Origin');
  const isAllowedOrigin = origin !== undefined && authHook.isAllowedOrigin(origin, ownOrigin(req));
  allowOrigin(res, origin, isAllowedOrigin);
  return { origin, isAllowedOrigin };
}

/** Why the signal of a request is aborted when its answer has been sent, or nobody waits for it. */
const CLOSED = kitError('CANCELLED');

async function serve(options: AppOptions, methods: Methods, req: Request, res: Response): Promise<void> {
  const { origin, isAllowedOrigin } = permitOrigin(options, req, res);
  if (req.method === 'OPTIONS') return answerOptions(req, res, allowed(methods), isAllowedOrigin);
  const route = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
  factsOf(req).route = pathOf(req);
  if (route === undefined) {
    res.setHeader('Allow', allowed(methods).join(', '));
    throw fail('METHOD_NOT_ALLOWED');
  }
  if (!isAllowedOrigin) options.authHook.checkOrigin(req.method, origin, req.headers.cookie);
  if (route.clearsCookies === true && hasSessionCookie(req.headers.cookie)) {
    res.setHeader('Set-Cookie', options.services.cookies.clearAll());
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort(CLOSED));
  await handle(options, route, req, res, gone.signal);
}

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
async function handle(
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
): Promise<JsonBody> {
  if (!hasBody(req)) throw fail('REQUEST_INVALID', { message: 'The request needs a body: a JSON object' });
  const bytesMax = route.requestClass === 'submission' ? limits.submission_bytes_max : limits.body_bytes_max;
  checkBodyHeaders(req, bytesMax);
  res.once('close', bodies.reserve(Number(req.headers['content-length'] ?? bytesMax)));
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

/** True for what no service has logged: a fault in here, or of something that the gateway alone speaks to. */
function isOurs(err: unknown, status: number): boolean {
  return !(err instanceof ServiceError) || (err.domain === fail.domain && err.cause !== undefined && status >= 500);
}

/** Origin under which the client sees this gateway: pages from here, like /docs, are no strangers. */
function ownOrigin(req: Request): string {
  return `${req.protocol}://${req.host}`;
}

/** Path as it was sent: compared exactly, never decoded. */
function pathOf(req: Request): string {
  const at = req.url.indexOf('?');
  return at < 0 ? req.url : req.url.slice(0, at);
}
