// Copies what a package needs at run time: no sources, tests, types, source maps or documents; licenses stay.
import fs from 'node:fs';
import path from 'node:path';

const NOT_AT_RUN_TIME = [
  /\.[cm]?tsx?$/,
  /\.map$/,
  /\.tsbuildinfo$/,
  /\.test\.[cm]?js$/,
  /(^|\/)(README|CHANGELOG|HISTORY|CONTRIBUTING|SECURITY)[^/]*$/i,
  /\.(md|markdown|flow|yml|yaml)$/i,
  /(^|\/)\.(?!prisma)[^/]*$/, // dot files
  // Prisma's query compilers for databases that nobody here has
  /(^|\/)query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./,
  /(^|\/)prebuilds\/(?!linux-)/,
];
/** Documents, not a module that is called notice.js. */
const KEPT = /(^|\/)(LICENSE|LICENCE|NOTICE|COPYING)(?![^/]*\.([cm]?[jt]sx?|map)$)[^/]*$/i;
const FOLDERS_LEFT_OUT = new Set([
  'node_modules',
  'test',
  'tests',
  '__tests__',
  'testing',
  'docs',
  'examples',
  'example',
]);

function isNeeded(relative, isDirectory, isOurs) {
  const name = path.basename(relative);
  // a folder of declarations may be called like one of its files
  if (isDirectory)
    return !(FOLDERS_LEFT_OUT.has(name) && (isOurs || relative === name)) && !/^\.(?!prisma)|\.d\.[cm]?ts$/.test(name);
  return KEPT.test(relative) || !NOT_AT_RUN_TIME.some((pattern) => pattern.test(relative));
}

function copyTree(from, to, relative, isOurs) {
  for (const entry of fs.readdirSync(path.join(from, relative), { withFileTypes: true })) {
    const below = path.join(relative, entry.name);
    if (!isNeeded(below, entry.isDirectory(), isOurs)) continue;
    if (entry.isDirectory()) copyTree(from, to, below, isOurs);
    else if (entry.isFile()) {
      fs.mkdirSync(path.join(to, relative), { recursive: true });
      fs.copyFileSync(path.join(from, below), path.join(to, below));
    }
  }
}

/** The manifest as Node needs it: names, entry points and version; no scripts, no development dependencies. */
function writeManifest(manifest, file) {
  const { scripts: _scripts, devDependencies: _devDependencies, ...kept } = manifest;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}

/** Copies a package from the registry. */
export function copyForeignPackage({ dir, manifest }, to) {
  copyTree(dir, to, '', false);
  writeManifest(manifest, path.join(to, 'package.json'));
}

/** Copies a package or service of this workspace: its build and the folders that `files` of its manifest adds. */
export function copyOwnPackage({ dir, manifest }, to) {
  for (const folder of manifest.files ?? ['dist']) {
    if (!fs.existsSync(path.join(dir, folder)))
      throw new Error(`${dir}/${folder} is missing: run pnpm run setup first`);
    copyTree(dir, to, folder, true);
  }
  writeManifest(manifest, path.join(to, 'package.json'));
}
