// Compiles assembly/ to dist/engine.wasm; does nothing when the sources and the compiler have not changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const target = path.join(root, 'dist', 'engine.wasm');
const stamp = `${target}.sha256`;
const options = ['--runtime', 'stub', '--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--converge'];
const features = ['--uncheckedBehavior', 'always', '--initialMemory', '64', '--maximumMemory', '65536'];
const compiler = require('assemblyscript/package.json').version;

function fingerprint() {
  const hash = createHash('sha256').update(compiler).update(options.concat(features).join(' '));
  const folder = path.join(root, 'assembly');
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith('.ts')) hash.update(name).update(readFileSync(path.join(folder, name)));
  }
  return hash.digest('hex');
}

const wanted = fingerprint();
if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
  console.log('engine.wasm is up to date');
} else {
  mkdirSync(path.dirname(target), { recursive: true });
  const { default: asc } = await import('assemblyscript/asc');
  const entry = path.join('assembly', 'index.ts');
  const argv = [entry, '--outFile', path.join('dist', 'engine.wasm'), ...options, ...features];
  const { error } = await asc.main(argv.concat('--baseDir', root), { stderr: process.stderr });
  if (error) {
    console.error(`AssemblyScript ${compiler}: ${error.message}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  console.log(`engine.wasm built by AssemblyScript ${compiler}`);
}
