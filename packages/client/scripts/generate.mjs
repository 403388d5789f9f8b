// Types of the client, from the OpenAPI document, from the gateway's routes: their sources are bundled and asked, so that
// neither a build nor a running server is needed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import openapiTypescript, { astToString } from 'openapi-typescript';

const folder = path.join(import.meta.dirname, '..');
const root = path.join(folder, '../..');
const bundle = path.join(folder, 'dist', 'document.mjs');

/** Packages of the workspace by their sources: they may not have been built. */
const workspaceSources = {
  name: 'workspace sources',
  setup({ onResolve }) {
    onResolve({ filter: /^@tally\/[a-z-]+$/ }, ({ path: name }) => ({
      path: path.join(root, 'packages', name.slice('@tally/'.length), 'src/index.ts'),
    }));
  },
};

const http = path.join(root, 'services/gateway/src/http');
await build({
  stdin: {
    contents: `
      export { createDocument } from '${http}/openapi/document.ts';
      export { EXAMPLES } from '${http}/openapi/examples.ts';
      export { ROUTES } from '${http}/routes/index.ts';`,
    resolveDir: http,
  },
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['pg-native'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  plugins: [workspaceSources],
  logLevel: 'warning',
});
const { createDocument, EXAMPLES, ROUTES } = await import(pathToFileURL(bundle).href);
rmSync(bundle);
const types = astToString(await openapiTypescript(createDocument(ROUTES, '0', EXAMPLES)));
mkdirSync(path.join(folder, 'src/gen'), { recursive: true });
writeFileSync(path.join(folder, 'src/gen/http.ts'), types);
process.exit(0); // some modules of the bundle keep the process alive
