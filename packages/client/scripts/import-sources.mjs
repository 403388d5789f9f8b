// Imports sources of the services as they are: neither a build nor a running server is needed.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '../../..');

/** Packages of the workspace by their sources: they may not have been built. */
const workspaceSources = {
  name: 'workspace sources',
  setup({ onResolve }) {
    onResolve({ filter: /^@tally\/[a-z/-]+$/ }, ({ path: name }) => {
      const [, owner, ...inside] = name.split('/');
      const source = path.join(root, 'packages', owner, 'src', ...inside);
      const file = `${source}.ts`;
      return { path: existsSync(file) ? file : path.join(source, 'index.ts') };
    });
  },
};

/**
 * What a module of these lines exports; it may keep the process alive.
 * @param contents - TypeScript; its imports are absolute, or relative to `resolveDir`, a folder of the workspace
 */
export async function importSources(contents, resolveDir) {
  const bundle = path.join(import.meta.dirname, '../dist', `sources-${process.pid}.mjs`);
  mkdirSync(path.dirname(bundle), { recursive: true });
  await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [workspaceSources],
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle);
  }
}
