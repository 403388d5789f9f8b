import { Readable } from 'node:stream';
import { projectJsonSchema } from '@tally/simulators/description/project-schema';
import { tagOf } from '../../answer/respond.js';
import { defineRoute, type OpenApiFile } from '../../route.js';
import { jsonSchemaResponse } from '../../schemas/openapi.js';

/** How long a copy may be used without asking again: a new release may be behind the same address. */
const MAX_AGE_SECONDS = 60;

let file: OpenApiFile | undefined;

/** Written when it is first asked for; it does not change while the gateway runs. */
function writeSchema(): OpenApiFile {
  const text = JSON.stringify(projectJsonSchema());
  return { text, tag: tagOf(text) };
}

/** GET /schemas/project.json: what a project may hold. */
export const getProjectSchema = defineRoute({
  method: 'GET',
  path: '/schemas/project.json',
  auth: 'none',
  isLocal: true,
  summary: 'JSON Schema of projects',
  description: `Draft 2020-12, of the newest form of the editor's format, with titles, units (\`x-unit\`) and limits, made from the schemas
that submissions are read by. References between parts are checked by submissions and estimates alone.`,
  responses: {
    200: { description: 'The schema', schema: jsonSchemaResponse, headers: { ETag: 'Validator of the content' } },
    304: { description: 'The client has this version (If-None-Match)' },
  },
  handle: async () => {
    file ??= writeSchema();
    return {
      kind: 'stream',
      status: 200,
      headers: { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` },
      text: Readable.from([file.text]),
      tag: file.tag,
    };
  },
});
