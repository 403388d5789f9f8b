// `build:wasm` of a package: compiles assembly/index.ts to dist/<name>.wasm; does nothing when the sources and the compiler
// have not changed. Usage, in the package's folder: node ../../tools/build-wasm.mjs <name> [--inline [--rare=<function>,…]] [options of
// the compiler …]; `--inline`: for speed, with larger functions in the place of their calls (see INLINED), but for rare ones
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, ...rest] = process.argv.slice(2);
const inlines = rest.includes('--inline');
const RARE = '--rare=';
/** Functions, by name or `Class#method`, that stay calls: what runs seldom would only move apart what runs often. */
const rare = rest.flatMap((option) => (option.startsWith(RARE) ? option.slice(RARE.length).split(',') : []));
const own = rest.filter((option) => option !== '--inline' && !option.startsWith(RARE));
const folder = process.cwd();
const require = createRequire(path.join(folder, 'package.json'));
const target = path.join('dist', `${name}.wasm`);
const stamp = `${target}.sha256`;
const common = ['--runtime', 'stub', '--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--converge'];
const options = [...common, '--uncheckedBehavior', 'always', ...own];
const compiler = require('assemblyscript/package.json').version;
/**
 * Largest functions that are put in the place of their calls, in Binaryen's measure: everywhere, where it seems to pay, where
 * there is one call. The compiler's own are 12, 70 and 200; what runs in every step of a loop gains up to a fifth by these.
 * Beyond them what a step runs through no longer fits the first cache of instructions.
 */
const INLINED = { always: 40, flexible: 200, oneCaller: 20_000 };

function fingerprint() {
  const hash = createHash('sha256').update(compiler).update(options.join(' '));
  if (inlines) hash.update(JSON.stringify([INLINED, rare]));
  for (const file of readdirSync('assembly', { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(path.join('assembly', file)));
  }
  return hash.digest('hex');
}

/** Optimises a module once more, with more calls replaced; numbers stay the same to the last bit. */
async function inlineCalls(bytes) {
  const { resolve } = createRequire(require.resolve('assemblyscript/package.json'));
  const { default: binaryen } = await import(pathToFileURL(resolve('binaryen')).href);
  const module = binaryen.readBinary(bytes);
  const { MutableGlobals, NontrappingFPToInt, SignExt, BulkMemory, BulkMemoryOpt, SIMD128 } = binaryen.Features;
  module.setFeatures(MutableGlobals | NontrappingFPToInt | SignExt | BulkMemory | BulkMemoryOpt | SIMD128);
  binaryen.setOptimizeLevel(4);
  binaryen.setShrinkLevel(0);
  binaryen.setFastMath(false);
  // the compiler before has set it
  binaryen.setDebugInfo(false);
  binaryen.setAllowInliningFunctionsWithLoops(true);
  binaryen.setAlwaysInlineMaxSize(INLINED.always);
  binaryen.setFlexibleInlineMaxSize(INLINED.flexible);
  binaryen.setOneCallerInlineMaxSize(INLINED.oneCaller);
  for (const name of rare) {
    binaryen.setPassArgument('no-inline', `*/${name}`);
    module.runPasses(['no-inline']);
  }
  module.optimize();
  return module.emitBinary();
}

const wanted = fingerprint();
if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
  console.log(`${name}.wasm is up to date`);
} else {
  mkdirSync('dist', { recursive: true });
  const { default: asc } = await import(pathToFileURL(require.resolve('assemblyscript/dist/asc.js')).href);
  // functions have names until their calls have been replaced
  const names = inlines ? ['--debug'] : [];
  const argv = [path.join('assembly', 'index.ts'), '--outFile', target, ...options, ...names, '--baseDir', folder];
  const { error } = await asc.main(argv, { stderr: process.stderr });
  if (error) {
    console.error(`AssemblyScript ${compiler}: ${error.message}`);
    process.exit(1);
  }
  if (inlines) writeFileSync(target, await inlineCalls(readFileSync(target)));
  writeFileSync(stamp, wanted);
  console.log(`${name}.wasm built by AssemblyScript ${compiler}`);
}
