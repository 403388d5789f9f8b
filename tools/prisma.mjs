// Runs the stock Prisma CLI in the current folder: node ../../tools/prisma.mjs <arguments of prisma>
//
// Prisma wants to download a native `schema-engine` before most commands. The one we name instead is our stand-in
// around the WebAssembly build of the same engine, which comes from npm: the same behaviour with and without internet.
// PRISMA_ENGINE=native gives the stock behaviour back.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

const env = { PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1', ...process.env };
if (env.PRISMA_ENGINE !== 'native') {
  env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, 'schema-engine.cjs');
}

const cli = require.resolve('prisma/build/index.js');
const result = spawnSync(process.execPath, [cli, ...process.argv.slice(2)], { stdio: 'inherit', env });
if (result.error) throw result.error;
process.exit(result.status ?? 1);
