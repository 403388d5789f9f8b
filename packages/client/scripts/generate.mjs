// Types of the client, from the OpenAPI document, from the gateway's routes.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { importSources } from './import-sources.mjs';

const folder = path.join(import.meta.dirname, '..');
const http = path.join(folder, '../../services/gateway/src/http');
const { createDocument, EXAMPLES, ROUTES } = await importSources(
  `export { createDocument } from '${http}/openapi/document.ts';
   export { EXAMPLES } from '${http}/openapi/examples.ts';
   export { ROUTES } from '${http}/routes/index.ts';`,
  http,
);
const types = astToString(await openapiTypescript(createDocument(ROUTES, '0', EXAMPLES)));
mkdirSync(path.join(folder, 'src/gen'), { recursive: true });
writeFileSync(path.join(folder, 'src/gen/http.ts'), types);
process.exit(0); // some modules of the bundle keep the process alive
