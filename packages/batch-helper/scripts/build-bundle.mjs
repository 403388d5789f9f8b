// Bundles dist/src/bin/tally-batch-helper.js, and everything that it imports, into dist/tally-batch-helper.mjs: one file
// that needs Node and nothing else, also for the built-in engine. Run after `tsc -b` and `build:wasm`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const engine = path.join(root, 'node_modules/@tally/engine');

/** In the place of packages/engine/src/engine-assets.ts: the engine's files as text of the bundle. */
function embeddedEngineAssets() {
  const module = readFileSync(path.join(engine, 'dist/engine.wasm')).toString('base64');
  const worker = readFileSync(path.join(engine, 'worker/engine-worker.mjs')).toString('base64');
  return `
    export const readTransportModule = () => Buffer.from('${module}', 'base64');
    export const engineWorkerUrl = () => new URL('data:text/javascript;base64,${worker}');
    export const findEngineFile = (relative) => { throw new Error(relative + ' is not in the bundle'); };
  `;
}

const engineAssets = {
  name: 'engine-assets',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]engine[\\/]dist[\\/]src[\\/]engine-assets\.js$/ }, () => ({
      contents: embeddedEngineAssets(),
      loader: 'js',
    }));
  },
};

const { metafile } = await build({
  entryPoints: [path.join(root, 'dist/src/bin/tally-batch-helper.js')],
  outfile: path.join(root, 'dist/tally-batch-helper.mjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'inline',
  metafile: true,
  logLevel: 'warning',
  plugins: [engineAssets],
});
if (!Object.keys(metafile.inputs).some((input) => input.endsWith('engine-assets.js'))) {
  throw new Error('the engine is not in the bundle');
}
