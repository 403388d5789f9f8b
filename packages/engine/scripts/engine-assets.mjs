// For bundles that hold the engine: in the place of src/engine-assets.ts, the engine's files as text of the bundle.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const engine = path.join(import.meta.dirname, '..');

function embeddedAssets() {
  const module = readFileSync(path.join(engine, 'dist/engine.wasm')).toString('base64');
  const worker = readFileSync(path.join(engine, 'worker/engine-worker.mjs')).toString('base64');
  return `
    export const readTransportModule = () => Buffer.from('${module}', 'base64');
    export const engineWorkerUrl = () => new URL('data:text/javascript;base64,${worker}');
    export const findEngineFile = (relative) => { throw new Error(relative + ' is not in the bundle'); };
  `;
}

/** Plugin of esbuild. */
export const engineAssets = {
  name: 'engine-assets',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]engine[\\/]dist[\\/]src[\\/]engine-assets\.js$/ }, () => ({
      contents: embeddedAssets(),
      loader: 'js',
    }));
  },
};

/** What every such bundle is: one file for Node. */
export const ONE_FILE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'inline',
  logLevel: 'warning',
};

/** @throws Error unless the files of the engine are in the bundle */
export function requireEngine({ inputs }) {
  if (!Object.keys(inputs).some((input) => input.endsWith('engine-assets.js'))) {
    throw new Error('the engine is not in the bundle');
  }
}
