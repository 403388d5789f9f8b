// `pnpm release <version>`: makes this folder that version: every package.json, the chart, k8s/manifests, and in every
// changelog what was unreleased. It commits nothing and sends nothing; it says what to do next. docs/developers-guide.md.
//   --service jobs   one service alone: a later patch of its version, in its package.json and changelog
//   --check          only says what is wrong with versions and changelogs, for the test run
//   --cli FOLDER     no release: makes the tarball of the command tally in a folder (npm run setup must have built it)
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packCli } from './release/cli-package.mjs';
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
  console.log(`services/${service} is ${version}. Look at it (git diff), then:

  pnpm jest services/${service} && pnpm check:previous --service ${service}
  git commit -am "chore(${service}): release ${version}" && git tag -a ${service}-v${version} -m "${service} ${version}"
  docker/build.sh registry.example.org/tally --push --only ${service}
  helm upgrade tally k8s/chart -n tally -f my-values.yaml --set services.${service}.image.tag=${version}`);
  process.exit(0);
}
const generate = path.join(root, 'tools/k8s-generate.mjs');
if (spawnSync(process.execPath, [generate], { stdio: 'inherit' }).status !== 0) process.exit(1);
console.log(`This folder is ${version}. Look at it (git diff), then:

  npm test && pnpm check:previous --table
  git commit -am "chore(release): ${version}" && git tag -a v${version} -m ${version}
  docker/build.sh registry.example.org/tally          # and push the images
  python3 -m build clients/python                     # wheel and sdist, in clients/python/dist
  npm run setup && pnpm release --cli dist            # the command tally: npm install -g dist/tally-cli-${version}.tgz`);
