// `pnpm check:previous [--against <commit>]`: the previous release and this one side by side. Builds the previous one in a
// folder of its own, assembles the roots of its images (kept in .tally/previous until another release is the previous one)
// and runs e2e/rolling-upgrade with them: it begins with the previous release and rolls one service after another under load.
//   --keep-only   only the roots, for a run by hand: TEST_PREVIOUS_ROOTS=<the folder it prints> pnpm jest e2e/rolling-upgrade
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICES } from '../packages/testkit/dist/src/index.js';
import { extractCommit, findPrevious } from './previous/find-previous.mjs';

const root = path.join(import.meta.dirname, '..');
const cache = path.join(root, '.tally/previous');
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(0)} s`;

function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Folder with a root for each service of a commit. */
function rootsOf(commit) {
  const roots = path.join(cache, commit);
  if (fs.existsSync(roots)) return roots;
  fs.rmSync(cache, { recursive: true, force: true });
  const checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-previous-'));
  const start = performance.now();
  try {
    extractCommit(root, commit, checkout);
    run('npm', ['run', '--silent', 'setup'], { cwd: checkout });
    const half = `${roots}.half`;
    for (const service of SERVICES) {
      const assemble = [path.join(checkout, 'tools/image-rootfs.mjs'), service, '--out', path.join(half, service)];
      run(process.execPath, assemble, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
    }
    fs.renameSync(half, roots);
  } finally {
    fs.rmSync(checkout, { recursive: true, force: true });
  }
  console.log(`built and assembled in ${seconds(start)}`);
  return roots;
}

const { values: options } = parseArgs({
  options: { against: { type: 'string' }, 'keep-only': { type: 'boolean', default: false } },
});
const { commit, text } = findPrevious(root, options.against);
console.log(`previous release: ${text}`);
if (commit === undefined) {
  console.error('nothing to roll from');
  process.exit(1);
}
const roots = rootsOf(commit);
console.log(roots);
if (!options['keep-only']) {
  const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const env = { ...process.env, TEST_PREVIOUS_ROOTS: roots };
  const { status } = spawnSync(process.execPath, [...jest, 'e2e/rolling-upgrade'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
