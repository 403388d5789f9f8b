import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name of the helper's one file, also on the cluster. */
export const HELPER_PROGRAM = 'tally-batch-helper.mjs';
/** Version of the helper and of the files that it reads and writes; equal to the package's version. */
export const HELPER_VERSION = '0.2.0';

/**
 * Path of the program that runs on a cluster node: one file that needs Node and nothing else. Found from the sources,
 * the build and an image.
 */
export function helperProgramPath(): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'dist', HELPER_PROGRAM);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`The batch helper has not been built: dist/${HELPER_PROGRAM} is missing. Run "pnpm build".`);
}
