// `build:wasm` of a package: compiles assembly/index.ts to dist/<name>.wasm; does nothing when the sources and the compiler
// have not changed. Usage, in the package's folder: node ../../tools/build-wasm.mjs <name> [options of the compiler …]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, ...own] = process.argv.slice(2);
const folder = process.cwd();
const require = createRequire(path.join(folder, 'package.json'));
const target = path.join('dist', `${name}.wasm`);
const stamp = `${target}.sha256`;
const common = ['--runtime', 'stub', '--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--converge'];
const options = [...common, '--uncheckedBehavior', 'always', ...own];
const compiler = require('assemblyscript/package.json').version;

function fingerprint() {
  const hash = createHash('sha256').update(compiler).update(options.join(' '));
  for (const file of readdirSync('assembly', { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(path.join('assembly', file)));
  }
  return hash.digest('hex');
}

const wanted = fingerprint();
if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
  console.log(`${name}.wasm is up to date`);
} else {
  mkdirSync('dist', { recursive: true });
  const { default: asc } = await import(pathToFileURL(require.resolve('assemblyscript/dist/asc.js')).href);
  const argv = [path.join('assembly', 'index.ts'), '--outFile', target, ...options, '--baseDir', folder];
  const { error } = await asc.main(argv, { stderr: process.stderr });
  if (error) {
    console.error(`AssemblyScript ${compiler}: ${error.message}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  console.log(`${name}.wasm built by AssemblyScript ${compiler}`);
}
