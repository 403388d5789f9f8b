// Bundles dist/src/bin/tally-batch-helper.js, and everything that it imports, into dist/tally-batch-helper.mjs: one file
// that needs Node and nothing else, also for the built-in engine. Run after `tsc -b` and `build:wasm`.
import path from 'node:path';
import { build } from 'esbuild';
import { engineAssets, ONE_FILE, requireEngine } from '../../engine/scripts/engine-assets.mjs';

const dist = path.join(import.meta.dirname, '../dist');
const { metafile } = await build({
  ...ONE_FILE,
  entryPoints: [path.join(dist, 'src/bin/tally-batch-helper.js')],
  outfile: path.join(dist, 'tally-batch-helper.mjs'),
  metafile: true,
  plugins: [engineAssets],
});
requireEngine(metafile);
