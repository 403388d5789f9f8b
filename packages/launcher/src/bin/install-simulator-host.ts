// Puts into a folder what a simulator host needs beside its simulators: Node, its libraries and loader, the host's program
// and what else is named. So the image of the simulators needs nothing of ours, not even the same C library. A folder that is complete stays
// as it is: simulators may run from it.
// Usage: install-simulator-host <folder> [file]…
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import koffi from 'koffi';

const [folder, ...files] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: install-simulator-host <folder> [file]…');
/** The dynamic loader of the C library: ld-linux-x86-64.so.2. */
const LOADER = /^ld-/;
/** Is there when all else is. */
const COMPLETE = '.complete';
const own = path.dirname(fileURLToPath(import.meta.url));

if (!existsSync(path.join(folder, COMPLETE))) install(folder);

function install(to: string): void {
  koffi.load(null); // so that its libraries are loaded, too
  for (const name of ['bin', 'lib']) mkdirSync(path.join(to, name), { recursive: true });
  copyFileSync(realpathSync(process.execPath), path.join(to, 'bin/node'));
  for (const library of loadedLibraries()) {
    const name = path.basename(library);
    copyFileSync(library, path.join(to, LOADER.test(name) ? 'bin/loader' : `lib/${name}`));
  }
  for (const file of [path.join(own, '../../tally-simulator-host.mjs'), ...files])
    copyFileSync(file, path.join(to, path.basename(file)));
  for (const [name, place] of koffiPackages()) cpSync(place, path.join(to, 'node_modules', name), { recursive: true });
  writeFileSync(path.join(to, COMPLETE), '');
}

/** Shared libraries of this process, and the loader, as the kernel lists them (proc(5), maps). */
function loadedLibraries(): Set<string> {
  const lines = readFileSync('/proc/self/maps', 'utf8').split('\n');
  const mapped = lines.flatMap((line) => line.split(/\s+/)[5] ?? []);
  return new Set(mapped.filter((file) => /^\/.*\/(lib[^/]*|ld-[^/]*)\.so[.\d]*$/.test(file)));
}

/** koffi and its part for this platform. */
function koffiPackages(): [name: string, place: string][] {
  const main = realpathSync(createRequire(import.meta.url).resolve('koffi'));
  const platform = `@koromix/koffi-${process.platform}-${process.arch}`;
  const places: [string, string][] = [
    ['koffi', main],
    [platform, createRequire(main).resolve(platform)],
  ];
  return places.map(([name, file]) => [name, path.dirname(file)]);
}
