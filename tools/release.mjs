// `pnpm release <version>`: makes this folder that version: every package.json, the chart, k8s/manifests, and in every
// changelog what was unreleased. It commits nothing and sends nothing; it says what to do next. docs/developers-guide.md.
//   --service jobs   one service alone: a later patch of its version, in its package.json and changelog
//   --check          only says what is wrong with versions and changelogs, for the test run
//   --cli FOLDER     no release: makes the tarball of the command tally in a folder (npm run setup must have built it)
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packCli } from './release/cli-package.mjs';
import { serviceSteps, wholeSteps } from './release/next-steps.mjs';
import { releaseFaults, setServiceVersion, setVersion } from './release/versions.mjs';

const root = path.join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' }, service: { type: 'string' }, cli: { type: 'string' } },
  allowPositionals: true,
});
if (values.cli !== undefined) {
  console.log(await packCli(root, path.resolve(values.cli)));
  process.exit(0);
}
const faults = releaseFaults(root);
for (const fault of faults) console.error(fault);
if (faults.length > 0 || values.check) process.exit(faults.length === 0 ? 0 : 1);

const [version] = positionals;
if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version ?? '')) {
  console.error('usage: pnpm release <major>.<minor>.<patch> [--service <service>]');
  process.exit(2);
}
const today = new Date().toISOString().slice(0, 10);
const { service } = values;
try {
  if (service === undefined) setVersion(root, version, today);
  else setServiceVersion(root, service, version, today);
} catch (err) {
  console.error(err.message);
  process.exit(1);
}
if (service !== undefined) {
  console.log(serviceSteps(service, version));
  process.exit(0);
}
const generate = path.join(root, 'tools/k8s-generate.mjs');
if (spawnSync(process.execPath, [generate], { stdio: 'inherit' }).status !== 0) process.exit(1);
console.log(wholeSteps(version));
