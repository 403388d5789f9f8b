// Writes what of the package follows from elsewhere:
//   models.py, api.py   from the OpenAPI document, from the gateway's routes
//   reasons.py          from the tables of reasons of the services
//   materials.py        from the engine's library of materials
//   _sync/              from _async/
// Without --check it writes (`pnpm gen`); with it, it compares, for the test run.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { importSources } from '../../../packages/client/scripts/import-sources.mjs';
import { writeApi } from './api.mjs';
import { writeMaterials } from './materials.mjs';
import { Models } from './models.mjs';
import { writeReasons } from './reasons.mjs';
import { toSync } from './sync.mjs';

const folder = path.join(import.meta.dirname, '../src/tally_client');
const root = path.join(import.meta.dirname, '../../..');
const services = ['auth', 'batch-bridge', 'jobs', 'results'];
const isCheck = process.argv.includes('--check');
const stale = [];

function write(name, text) {
  const file = path.join(folder, name);
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  if (isCheck) stale.push(`clients/python/src/tally_client/${name}`);
  else fs.writeFileSync(file, text);
}

const gateway = path.join(root, 'services/gateway/src');
const sources = await importSources(
  `export { createDocument } from '${gateway}/http/openapi/document.ts';
   export { ROUTES } from '${gateway}/http/routes/index.ts';
   export { httpStatusOf } from '${gateway}/http/answer/problem.ts';
   export { listMaterials } from '@tally/engine';
   import { kitError } from '@tally/service-kit';
   import { fail as ofGateway } from '${gateway}/errors.ts';
   ${services.map((name, i) => `import { fail as of${i} } from '${root}/services/${name}/src/domain/errors.ts';`).join('\n')}
   export const TABLES = [kitError, ofGateway, ${services.map((_, i) => `of${i}`).join(', ')}];`,
  gateway,
);
const document = sources.createDocument(sources.ROUTES, '0', {});
const models = new Models(document.components.schemas);
const api = writeApi(document, models); // names the models that it needs
write('_generated/models.py', models.text());
write('_async/api.py', api);
write('_generated/reasons.py', writeReasons(sources.TABLES, sources.httpStatusOf));
write('_generated/materials.py', writeMaterials(sources.listMaterials()));
for (const name of fs.readdirSync(path.join(folder, '_async')).filter((file) => file.endsWith('.py'))) {
  const source = name === 'api.py' ? api : fs.readFileSync(path.join(folder, '_async', name), 'utf8');
  write(`_sync/${name}`, toSync(source, name));
}
if (stale.length > 0) process.stderr.write(`stale, run pnpm gen: ${stale.join(', ')}\n`);
process.exit(stale.length === 0 ? 0 : 1); // some modules of the bundle keep the process alive
