// The command tally as a package that `npm install -g` takes: one file that needs Node and nothing else.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const FILE = 'tally.mjs';

/** Node's own require for the packages of CommonJS in the bundle. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** The command with everything that it imports, as one file; the build (`npm run setup`) of `root` must be there. */
export async function bundleCli(root, outfile) {
  await build({
    entryPoints: [path.join(root, 'packages/cli/dist/src/bin/tally.js')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: REQUIRE },
    legalComments: 'eof',
    logLevel: 'warning',
  });
  fs.chmodSync(outfile, 0o755);
}

const README = `# tally

The command of Tally, a job service for particle-transport simulations. Run \`tally --help\`, or \`tally man | man -l -\`.
`;

/**
 * Makes the tarball in a folder. Nothing is sent anywhere.
 * @returns its path
 */
export async function packCli(root, folder) {
  const { version, license } = JSON.parse(fs.readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'));
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const draft = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-cli-'));
  try {
    await bundleCli(root, path.join(draft, FILE));
    const manifest = {
      name: '@tally/cli',
      version,
      description: 'The command of Tally, a job service for particle-transport simulations',
      license,
      type: 'module',
      bin: { tally: FILE },
      files: [FILE],
      engines,
    };
    fs.writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    fs.writeFileSync(path.join(draft, 'README.md'), README);
    fs.copyFileSync(path.join(root, 'LICENSE'), path.join(draft, 'LICENSE'));
    fs.mkdirSync(folder, { recursive: true });
    const args = ['pack', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: draft, encoding: 'utf8' }));
    return path.join(folder, path.basename(filename));
  } finally {
    fs.rmSync(draft, { recursive: true });
  }
}
