import { Router } from 'express';
import helmet from 'helmet';
import { z } from 'zod';
import { templateFile } from '../schemas/template.js';
import type { TemplateLibrary } from '../templates/template-library.js';

const PICTURE_SECONDS = 300;

/** Serves the pictures of templates, and the schema of their files. A picture is found by the name of its template, never by a path. */
export function createTemplateFiles(templates: TemplateLibrary): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });
  router.get('/templates/:name/picture.png', secure, (req, res, next) => {
    const file = templates.get(req.params.name)?.pictureFile;
    if (file === undefined) return next();
    res.set({ 'Content-Type': 'image/png', 'Cache-Control': `public, max-age=${PICTURE_SECONDS}` });
    res.sendFile(file, { dotfiles: 'allow', cacheControl: false }, (err) => {
      if (err !== undefined && !res.headersSent) next(err);
    });
  });
  const schema = JSON.stringify(z.toJSONSchema(templateFile, { io: 'input' }), null, 2);
  router.get('/schemas/template.json', secure, (_req, res) => {
    res.set({ 'Content-Type': 'application/schema+json', 'Access-Control-Allow-Origin': '*' }).send(schema);
  });
  return router;
}
