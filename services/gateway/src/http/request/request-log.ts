import type { Logger, Metrics } from '@tally/service-kit';
import { newId, withContext } from '@tally/service-kit';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** What is found out about a request while it is answered, for its log line. */
export interface RequestFacts {
  readonly requestId: string;
  /** Path of the route; absent when no route took it. */
  route?: string;
  userId?: bigint;
  jobId?: string;
  /** Machine word of the error answer. */
  code?: string;
  /** True when an answer had to be cut. */
  isCut?: boolean;
}

const facts = new WeakMap<Request, RequestFacts>();

/** Facts of a request. Every request has them, from `observeRequests` on. */
export function factsOf(req: Request): RequestFacts {
  const found = facts.get(req);
  if (found === undefined) throw new Error('the request is not observed');
  return found;
}

const GIVEN_ID = /^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}$/;
const PROBES = new Set(['/livez', '/readyz', '/']);

/**
 * Gives every request its id (the client's X-Request-ID if it is sane, else a new one), which travels to all services,
 * and writes one line when it ends. The line has no query: queries and bodies may hold private data.
 */
export function observeRequests(logger: Logger, metrics: Metrics): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const given = req.get('X-Request-ID');
    const requestId = given !== undefined && GIVEN_ID.test(given) ? given : newId();
    const startedAt = performance.now();
    const known: RequestFacts = { requestId };
    facts.set(req, known);
    res.setHeader('X-Request-ID', requestId);
    res.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const status = res.writableFinished ? res.statusCode : 499;
      const route = known.route ?? 'none';
      metrics.calls.observe({ method: `${known.route === undefined ? 'ANY' : req.method} ${route}`, status }, seconds);
      const fields = {
        request_id: requestId,
        method: req.method,
        route,
        status: known.isCut ? 500 : status,
        duration_ms: Math.round(seconds * 1000),
        ...(known.userId === undefined ? {} : { user_id: String(known.userId) }),
        ...(known.jobId === undefined ? {} : { job_id: known.jobId }),
        ...(known.code === undefined ? {} : { code: known.code }),
        ...(known.isCut ? { is_cut: true } : {}),
      };
      if (fields.status >= 500) logger.error(fields, 'request');
      else if (PROBES.has(route)) logger.debug(fields, 'request');
      else logger.info(fields, 'request');
    });
    withContext({ requestId }, () => next());
  };
}
