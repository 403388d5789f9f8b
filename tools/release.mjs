// `pnpm release <version>`: makes this folder that version: every package.json, the chart, k8s/manifests, and in every
// changelog what was unreleased. It commits nothing and sends nothing; it says what to do next. docs/developers-guide.md.
//   --check   only says what is wrong with versions and changelogs, for the test run
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { releaseFaults, setVersion } from './release/versions.mjs';

const root = path.join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const faults = releaseFaults(root);
for (const fault of faults) console.error(fault);
if (faults.length > 0 || values.check) process.exit(faults.length === 0 ? 0 : 1);

const [version] = positionals;
if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version ?? '')) {
  console.error('usage: pnpm release <major>.<minor>.<patch>');
  process.exit(2);
}
setVersion(root, version, new Date().toISOString().slice(0, 10));
const generate = path.join(root, 'tools/k8s-generate.mjs');
if (spawnSync(process.execPath, [generate], { stdio: 'inherit' }).status !== 0) process.exit(1);
console.log(`This folder is ${version}. Look at it (git diff), then:

  npm test && pnpm check:previous
  git commit -am "chore(release): ${version}" && git tag -a v${version} -m ${version}
  docker/build.sh registry.example.org/tally          # and push the images`);
