// Bundles dist/src/bin/tally-simulator-host.js, and everything that it imports but koffi, into dist/tally-simulator-host.mjs,
// which install-simulator-host puts into a volume. Run after `tsc -b`.
import path from 'node:path';
import { build } from 'esbuild';
import { ONE_FILE } from '../../engine/scripts/engine-assets.mjs';

const dist = path.join(import.meta.dirname, '../dist');
await build({
  ...ONE_FILE,
  entryPoints: [path.join(dist, 'src/bin/tally-simulator-host.js')],
  outfile: path.join(dist, 'tally-simulator-host.mjs'),
  external: ['koffi'], // it has a part of machine code
});
