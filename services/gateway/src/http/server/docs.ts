import { createRequire } from 'node:module';
import { Router } from 'express';
import helmet from 'helmet';

/** Page that shows /openapi.json to people and lets them try it. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tally: HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body><div id="docs"></div></body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list' });
`;

const resolve = createRequire(import.meta.url).resolve;

/** What the page is made of, by path: text of ours, or a file of swagger-ui-dist. Nothing comes from elsewhere. */
const PARTS: Readonly<Record<string, { readonly type: string; readonly text?: string; readonly file?: string }>> = {
  '/docs': { type: 'text/html; charset=utf-8', text: PAGE },
  '/docs/start.js': { type: 'text/javascript; charset=utf-8', text: START },
  '/docs/swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    file: resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', file: resolve('swagger-ui-dist/swagger-ui.css') },
};

const CACHE_SECONDS = 300;

/** Serves GET /docs and its parts. Scripts and calls of this origin only; swagger-ui sets style attributes. */
export function createDocs(): Router {
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, { type, text, file }] of Object.entries(PARTS)) {
    router.get(path, secure, (_req, res) => {
      res.set({ 'Content-Type': type, 'Cache-Control': `public, max-age=${CACHE_SECONDS}` });
      if (file === undefined) res.send(text);
      else res.sendFile(file, { dotfiles: 'allow' }); // node_modules/.pnpm is on its path
    });
  }
  return router;
}
