import { kitError } from '@tally/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { fail } from '../../errors.js';
import type { Route } from '../route.js';
import { hasSessionCookie } from '../session/cookies.js';
import { allowOrigin, answerOptions } from '../session/cors.js';
import type { AppOptions } from './app-options.js';
import { handleRequest } from './handle-request.js';
import { factsOf } from './request-log.js';

/** The routes of the API. Paths are compared exactly: no other case, no slash at the end. */
export function createRouter(options: AppOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(options.routes.map((route) => route.path))) {
    const routes = options.routes.filter((route) => route.path === path);
    const methods = allowedMethods(routes);
    const atPath = router.route(path);
    for (const route of routes) {
      const verb = route.method.toLowerCase() as Lowercase<typeof route.method>;
      atPath[verb](answerRoute(options, route));
    }
    atPath.all(answerOtherMethods(options, path, methods));
  }
  return router;
}

/** Methods of a path as Allow names them: HEAD goes wherever GET goes. */
function allowedMethods(routes: readonly Route[]): string[] {
  const methods = routes.map(({ method }) => method);
  const doubled = methods.find((method, index) => methods.indexOf(method) !== index);
  if (doubled !== undefined) throw new Error(`two routes for ${doubled} ${routes[0]?.path}`);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

/** Lets pages of an allowed origin read the answer. True: it comes from one. */
export function permitOrigin({ authHook }: AppOptions, req: Request, res: Response): boolean {
  const { origin } = req.headers;
  const isAllowed = origin !== undefined && authHook.isAllowedOrigin(origin, ownOrigin(req));
  allowOrigin(res, origin, isAllowed);
  return isAllowed;
}

/** Origin under which the client sees this gateway, for pages from here, like /docs. */
function ownOrigin(req: Request): string {
  return `${req.protocol}://${req.host}`;
}

/** What is the same for all methods of a path: headers, permission for the origin of the request. */
function openPath(options: AppOptions, path: string, req: Request, res: Response): boolean {
  factsOf(req).route = path;
  res.setHeaders(SECURITY_HEADERS);
  return permitOrigin(options, req, res);
}

/** OPTIONS, and the refusal of methods that a path does not have. */
function answerOtherMethods(options: AppOptions, path: string, methods: readonly string[]): RequestHandler {
  return (req, res) => {
    const isAllowed = openPath(options, path, req, res);
    if (req.method === 'OPTIONS') return answerOptions(req, res, methods, isAllowed);
    res.setHeader('Allow', methods.join(', '));
    throw fail('METHOD_NOT_ALLOWED');
  };
}

/**
 * Those of Helmet's headers that mean something for an answer that is no page (OWASP REST Security Cheat Sheet, Security Headers): the
 * others are about what a page may load, open and send. They are the same for all answers, so that Helmet is called once.
 */
const SECURITY_HEADERS = securityHeaders({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

function securityHeaders(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options)({} as Request, recorder as unknown as Response, (err) => {
    if (err !== undefined) throw new Error('helmet failed', { cause: err });
  });
  return headers;
}

/** Refuses requests that pages of other origins send; takes cookies away where the route does. */
function guard({ authHook, services }: AppOptions, route: Route, req: Request, res: Response, isAllowed: boolean) {
  const { origin, cookie } = req.headers;
  if (!isAllowed) authHook.checkOrigin(req.method, origin, cookie);
  if (route.clearsCookies === true && hasSessionCookie(cookie)) {
    res.setHeader('Set-Cookie', services.cookies.clearAll());
  }
}

/** Why the signal of a request is aborted when its answer has been sent, or its client is gone. */
const CLOSED = kitError('CANCELLED');

function answerRoute(options: AppOptions, route: Route): RequestHandler {
  return (req, res) => {
    const isAllowed = openPath(options, route.path, req, res);
    guard(options, route, req, res, isAllowed);
    return handleRequest(options, route, req, res, goneSignal(res));
  };
}

/** The signal is made when it is asked for: few requests need it, and it is dear. */
function goneSignal(res: Response): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    if (signal !== undefined) return signal;
    const gone = new AbortController();
    if (res.closed) gone.abort(CLOSED);
    else res.once('close', () => gone.abort(CLOSED));
    signal = gone.signal;
    return signal;
  };
}
