import { Readable } from 'node:stream';
import { defineRoute } from '../../route.js';
import { openApiResponse } from '../../schemas/openapi.js';

/** How long a copy may be used without asking again: a new release may be behind the same address. */
const MAX_AGE_SECONDS = 60;

/** GET /openapi.json: the description of all operations, made from the routes themselves. */
export const getOpenApi = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  auth: 'none',
  isLocal: true,
  summary: 'This document',
  description: 'OpenAPI 3.1. For people: `GET /docs`.',
  responses: {
    200: { description: 'The document', schema: openApiResponse, headers: { ETag: 'Validator of the content' } },
    304: { description: 'The client has this version (If-None-Match)' },
  },
  handle: async (_request, { openApi: { text, tag } }) => ({
    kind: 'stream',
    status: 200,
    headers: { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` },
    text: Readable.from([text]),
    tag,
  }),
});
