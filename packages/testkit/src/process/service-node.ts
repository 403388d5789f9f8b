import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The Node that services run on: that of their images (docker/Dockerfile), from npm, whatever runs this program; the latter where
 * npm has none for this platform.
 */
export function serviceNode(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    const program = path.join(path.dirname(manifest), 'bin/node');
    return existsSync(program) ? program : process.execPath;
  } catch {
    return process.execPath;
  }
}
