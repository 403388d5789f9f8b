import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Absolute path of the checkout: the nearest folder above this file that holds pnpm-workspace.yaml. The same from the
 * sources and from the build, which lie at different depths.
 */
export function workspaceRoot(): string {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(dir, 'pnpm-workspace.yaml'))) {
    const parent = path.dirname(dir);
    if (parent === dir) throw new Error('@tally/testkit must be used inside a checkout of the workspace');
    dir = parent;
  }
  return dir;
}
