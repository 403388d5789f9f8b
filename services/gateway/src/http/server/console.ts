import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';

/** Where `pnpm build` has put the console: a page, and what it loads under names that change with their content. */
const BUNDLE = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@tally/console/package.json')),
  'dist/bundle',
);
const PAGE = 'index.html';
const ASSET_SECONDS = 365 * 24 * 60 * 60;

/** The checks of the project editor: the one script that compiles WebAssembly, the engine's geometry, in a worker of its own. */
const CHECK_WORKER = /^\/console\/assets\/check-worker-[\w-]+\.js$/;

/**
 * Scripts, calls and pictures of this origin only; the components set style attributes.
 * @param scripts - what scripts may do beside coming from this origin
 */
function securityHeaders(scripts: readonly string[] = []): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}

/** Whether a path below the bundle is one of its files: a name, or one in assets/. */
function isFile(folder: string, name: string): boolean {
  if (!/^(?:assets\/)?[\w.-]+$/.test(name)) return false;
  return fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Serves GET /console/ and below; nothing where the console was not built. What is no file of the bundle is a page of the console, which finds its way by its
 * address; below assets/ it is nothing.
 */
export function createConsole(folder: string = BUNDLE): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const [securePage, secureChecks] = [securityHeaders(), securityHeaders(["'wasm-unsafe-eval'"])];
  const secure: RequestHandler = (req, res, next) =>
    (CHECK_WORKER.test(req.path) ? secureChecks : securePage)(req, res, next);
  router.get('/console', secure, (_req, res) => res.redirect(308, '/console/'));
  router.get(/^\/console\//, secure, (req: Request, res: Response, next: NextFunction) => {
    const wanted = req.path.slice('/console/'.length);
    const isAsset = wanted.startsWith('assets/');
    const name = isAsset || isFile(folder, wanted) ? wanted : PAGE;
    if (!isFile(folder, name)) return next();
    res.set('Cache-Control', isAsset ? `public, max-age=${ASSET_SECONDS}, immutable` : 'no-cache');
    const hasSmaller = isFile(folder, `${name}.gz`) && req.acceptsEncodings('gzip') === 'gzip';
    res.vary('Accept-Encoding').type(path.extname(name));
    if (hasSmaller) res.set('Content-Encoding', 'gzip');
    res.sendFile(hasSmaller ? `${name}.gz` : name, { root: folder, cacheControl: false });
  });
  return router;
}
