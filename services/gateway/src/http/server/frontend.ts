import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { fail } from '../../errors.js';

/** Request headers that are between the browser and the gateway only. */
const PRIVATE_HEADERS = ['cookie', 'authorization', 'idempotency-key'];

export interface FrontendOptions {
  readonly url: string;
  readonly timeoutMs: number;
}

/**
 * Puts a frontend under the gateway's origin. It gets the request without cookies and cannot set any: pages and
 * sessions share an origin, but the server of the pages never sees a session.
 */
export function createFrontend({ url, timeoutMs }: FrontendOptions): RequestHandler {
  const proxy = createProxyMiddleware<Request, Response>({
    target: url,
    changeOrigin: true,
    xfwd: true,
    proxyTimeout: timeoutMs,
    timeout: timeoutMs,
    on: {
      proxyReq: (proxyReq) => {
        for (const name of PRIVATE_HEADERS) proxyReq.removeHeader(name);
      },
      proxyRes: (proxyRes) => {
        delete proxyRes.headers['set-cookie'];
      },
      error: (err, req, res) => {
        if (!('req' in res) || res.headersSent) {
          res.destroy();
          return;
        }
        nexts.get(req)?.(fail('FRONTEND_UNAVAILABLE', { cause: err }));
      },
    },
  });
  const nexts = new WeakMap<Request, NextFunction>();
  return (req, res, next) => {
    nexts.set(req, next);
    void proxy(req, res, next);
  };
}
