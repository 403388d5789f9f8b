/*
 * The files that the engine needs beside its code. A bundle of one file has them inside: it puts a module with the same
 * exports in the place of this one (packages/batch-helper/scripts/build-bundle.mjs).
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The path of a file of this package, from its sources, its build or a bundle beside which the file lies. */
export function findEngineFile(relative: string): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = path.dirname(folder)) {
    for (const candidate of [path.join(folder, relative), path.join(folder, path.basename(relative))]) {
      if (existsSync(candidate)) return candidate;
    }
    if (folder === path.dirname(folder)) break;
  }
  throw new Error(`The reference engine has not been built: ${relative} is missing. Run "pnpm build".`);
}

/** The compiled transport module. */
export function readTransportModule(): Uint8Array {
  return readFileSync(findEngineFile('dist/engine.wasm'));
}

/** What a thread of a simulation runs. */
export function engineWorkerUrl(): URL {
  return pathToFileURL(findEngineFile('worker/engine-worker.mjs'));
}
