// Bundles dist/src/bin/tally-engine.js, and everything that it imports and reads, into dist/tally-engine.mjs: one file to
// show to a confined process, which starts in half the time. Run after `tsc -b` and `build:wasm`.
import path from 'node:path';
import { build } from 'esbuild';
import { engineAssets, ONE_FILE, requireEngine } from './engine-assets.mjs';

const dist = path.join(import.meta.dirname, '../dist');
const { metafile } = await build({
  ...ONE_FILE,
  entryPoints: [path.join(dist, 'src/bin/tally-engine.js')],
  outfile: path.join(dist, 'tally-engine.mjs'),
  metafile: true,
  plugins: [engineAssets],
});
requireEngine(metafile);
