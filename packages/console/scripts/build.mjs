// Builds the console, and counts what a first visit loads: the page's own scripts and styles, gzipped.
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const INITIAL_BYTES_MAX = 300_000;
const folder = path.join(import.meta.dirname, '..');
const bundle = path.join(folder, 'dist/bundle');

await build({ configFile: path.join(folder, 'vite.config.mjs'), logLevel: 'warn' });
const manifest = JSON.parse(fs.readFileSync(path.join(bundle, '.vite/manifest.json'), 'utf8'));

/** Files of a chunk and of what it imports at once. */
function filesOf(key, seen = new Set()) {
  const { file, css = [], imports = [] } = manifest[key];
  for (const name of [file, ...css]) seen.add(name);
  for (const other of imports) if (!seen.has(manifest[other].file)) filesOf(other, seen);
  return seen;
}

/** Writes a file's compressed form beside it, for the gateway to send. @returns its size, bytes */
function compress(file) {
  const compressed = gzipSync(fs.readFileSync(path.join(bundle, file)), { level: 9 });
  fs.writeFileSync(path.join(bundle, `${file}.gz`), compressed);
  return compressed.length;
}

const sizes = new Map();
for (const name of fs.readdirSync(path.join(bundle, 'assets'))) sizes.set(`assets/${name}`, compress(`assets/${name}`));
const bytes = [...filesOf('index.html')].reduce((sum, file) => sum + sizes.get(file), 0);
fs.rmSync(path.join(bundle, '.vite'), { recursive: true });
console.log(
  `console: a first visit loads ${(bytes / 1000).toFixed(0)} kB compressed (at most ${INITIAL_BYTES_MAX / 1000})`,
);
if (bytes > INITIAL_BYTES_MAX) process.exit(1);
