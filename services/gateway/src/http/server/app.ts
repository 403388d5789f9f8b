import { type Logger, ServiceError } from '@tally/service-kit';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { fail } from '../../errors.js';
import { toProblem } from '../answer/problem.js';
import { respondProblem } from '../answer/respond.js';
import type { AppOptions } from './app-options.js';
import { createConsole } from './console.js';
import { createDocs } from './docs.js';
import { factsOf, idsOf, observeRequests } from './request-log.js';
import { createRouter, permitOrigin } from './router.js';
import { createTemplateFiles } from './templates.js';

/** The Express application: observe, the routes of the API, documents, frontend, 404, and one place for every error. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple'); // a parameter that comes twice is a list
  app.set('trust proxy', options.trustedProxies.length === 0 ? false : options.trustedProxies);
  app.use(observeRequests(options.logger, options.metrics));
  app.use(createRouter(options));
  app.use(createDocs());
  app.use(createConsole());
  app.use(createTemplateFiles(options.services.templates));
  const { frontend } = options;
  if (frontend !== undefined) {
    app.use((req, res, next) => (req.method === 'GET' || req.method === 'HEAD' ? frontend(req, res, next) : next()));
  }
  app.use((req, res) => {
    permitOrigin(options, req, res);
    throw fail('PATH_NOT_FOUND');
  });
  app.use(answerError(options.logger));
  return app;
}

function answerError(logger: Logger): ErrorRequestHandler {
  return (err: unknown, req, res, _next) => {
    const known = factsOf(req);
    if (res.destroyed && !known.isCut) return; // the client went away
    const problem = toProblem(err, known.requestId);
    known.code = problem.body.code;
    if (isOurs(err, problem.status))
      logger.error({ err, request_id: known.requestId, ...idsOf(known) }, 'request failed');
    respondProblem(res, problem);
  };
}

/** True for what no service has logged: an error in the gateway, or of something that only the gateway calls. */
function isOurs(err: unknown, status: number): boolean {
  return !(err instanceof ServiceError) || (err.domain === fail.domain && err.cause !== undefined && status >= 500);
}
