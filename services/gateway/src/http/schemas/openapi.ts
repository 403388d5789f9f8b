import { z } from 'zod';

/** The document about documents: only what tells an OpenAPI document. It has no `message`. */
export const openApiResponse = z.looseObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
