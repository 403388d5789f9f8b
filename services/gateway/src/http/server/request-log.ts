import type { Logger, Metrics } from '@tally/service-kit';
import { newId, readTraceparent, startSpan, traceIdOf, withContext } from '@tally/service-kit';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { PollLines } from './poll-lines.js';

/** What is found out about a request while it is answered, for its log line. */
export interface RequestFacts {
  readonly requestId: string;
  /** Path of the route; absent when no route took it. */
  route?: string;
  userId?: bigint;
  jobId?: string;
  taskId?: number;
  /** Machine word of the error answer. */
  code?: string;
  /** True where the client decides how long it lasts: a streamed answer, a large body. Its duration is not the service's. */
  isStream?: boolean;
  /** True when an answer had to be cut. */
  isCut?: boolean;
}

const FACTS = Symbol('facts');

/** A member and not a WeakMap: its entries cost each collection of the heap. */
interface Observed {
  [FACTS]?: RequestFacts;
}

/** Facts of a request. Every request has them, from `observeRequests` on. */
export function factsOf(req: Request & Observed): RequestFacts {
  const found = req[FACTS];
  if (found === undefined) throw new Error('the request is not observed');
  return found;
}

/** What a request is about, as log lines name it. */
export function idsOf({ jobId, taskId }: RequestFacts): Record<string, string | number> {
  return { ...(jobId === undefined ? {} : { job_id: jobId }), ...(taskId === undefined ? {} : { task_id: taskId }) };
}

const GIVEN_ID = /^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}$/;
const PROBES = new Set(['/livez', '/readyz', '/']);

function levelOf(status: number, route: string): 'error' | 'debug' | 'info' {
  if (status >= 500) return 'error';
  return PROBES.has(route) ? 'debug' : 'info';
}

/**
 * Gives every request its id (the client's X-Request-ID if it is sane, else a new one), which travels to all services,
 * and writes one line when it ends, of polls one for many. The line has no query: queries and bodies may hold private data.
 */
export function observeRequests(logger: Logger, metrics: Metrics): RequestHandler {
  const polls = new PollLines();
  return (req: Request & Observed, res: Response, next: NextFunction) => {
    const given = req.get('x-request-id');
    const requestId = given !== undefined && GIVEN_ID.test(given) ? given : newId();
    const startedAt = performance.now();
    const known: RequestFacts = { requestId };
    const above = readTraceparent(req.get('traceparent'));
    const span = startSpan(req.method, 'server', above, { 'http.request.method': req.method });
    const traceparent = span?.traceparent ?? above;
    req[FACTS] = known;
    res.setHeader('X-Request-ID', requestId);
    res.on('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const ended = res.writableFinished ? res.statusCode : 499;
      const status = known.isCut ? 500 : ended;
      const route = known.route ?? 'none';
      const method = `${known.route === undefined ? 'ANY' : req.method} ${route}`;
      metrics.calls.observe({ method, status, kind: known.isStream ? 'stream' : 'call' }, seconds);
      span?.end(
        { 'http.route': route, 'http.response.status_code': status, request_id: requestId, ...idsOf(known) },
        status >= 500 ? (known.code ?? 'cut') : undefined,
      );
      const level = levelOf(status, route);
      if (!logger.isLevelEnabled(level)) return;
      const isPoll = req.method === 'GET' && status < 400 && known.userId !== undefined;
      const left = isPoll ? polls.count(known.userId ?? 0n, route, startedAt) : 0;
      if (left === undefined) return;
      // what is undefined is left out of a line
      const fields = {
        request_id: requestId,
        method: req.method,
        route,
        status,
        duration_ms: Math.round(seconds * 1000),
        user_id: known.userId?.toString(),
        trace_id: traceparent && traceIdOf(traceparent),
        ...idsOf(known),
        code: known.code,
        is_cut: known.isCut || undefined,
        polls_without_line: left || undefined,
      };
      logger[level](fields, 'request');
    });
    withContext(traceparent === undefined ? { requestId } : { requestId, traceparent }, () => next());
  };
}
