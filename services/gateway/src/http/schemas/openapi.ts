import { z } from 'zod';

/** Shape of an OpenAPI document, as far as it identifies one. It has no `message`. */
export const openApiResponse = z.looseObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

/** Shape of a JSON Schema, as far as it identifies one. It has no `message`, either. */
export const jsonSchemaResponse = z.looseObject({ $schema: z.string(), type: z.literal('object') });
