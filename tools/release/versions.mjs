// What a release is made of: one version in every package.json and in the chart, and a section of it in every changelog.
import fs from 'node:fs';
import path from 'node:path';

const UNRELEASED = '## Unreleased';
const CHART = 'k8s/chart/Chart.yaml';

const read = (root, file) => fs.readFileSync(path.join(root, file), 'utf8');
const below = (root, parent) => fs.readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`);
const existing = (root, files) => files.filter((file) => fs.existsSync(path.join(root, file)));

/** The engine's version is that of its physics: results name it, and it changes when they do. */
const OF_ITS_OWN_VERSION = 'packages/engine';

/** Every package.json of the workspace that has the version of the whole. */
const manifests = (root) =>
  existing(root, [
    'package.json',
    ...[...below(root, 'packages'), ...below(root, 'services')]
      .filter((dir) => dir !== OF_ITS_OWN_VERSION)
      .map((dir) => `${dir}/package.json`),
  ]);

/** The changelog of the whole and of each service; `file` may not exist. */
const changelogs = (root) => ['CHANGELOG.md', ...below(root, 'services').map((dir) => `${dir}/CHANGELOG.md`)];

/** Names of a service's migrations. */
function migrationsOf(root, changelog) {
  const dir = path.join(root, path.dirname(changelog), 'prisma/migrations');
  if (!fs.existsSync(dir)) return [];
  return fs.readdirSync(dir).filter((name) => /^\d{14}_/.test(name));
}

/** Text of a version's section; undefined when there is none. */
export function sectionOf(text, heading) {
  const start = text.indexOf(`${heading}\n`);
  if (start === -1) return undefined;
  const rest = text.slice(start + heading.length);
  const end = rest.indexOf('\n## ');
  return rest.slice(0, end === -1 ? undefined : end).trim();
}

/** Faults: a service without a changelog, a migration that none names, versions that differ. */
export function releaseFaults(root) {
  const faults = changelogs(root).flatMap((file) => {
    if (!fs.existsSync(path.join(root, file))) return [`${file} is missing`];
    const text = read(root, file);
    if (sectionOf(text, UNRELEASED) === undefined) return [`${file} has no section "${UNRELEASED}"`];
    return migrationsOf(root, file)
      .filter((name) => !text.includes(`\`${name}\``))
      .map((name) => `${file} does not name the migration ${name}`);
  });
  const { version } = JSON.parse(read(root, 'package.json'));
  const others = manifests(root).filter((file) => JSON.parse(read(root, file)).version !== version);
  faults.push(...others.map((file) => `${file} is not of version ${version}`));
  for (const line of [`version: ${version}`, `appVersion: ${version}`]) {
    if (!read(root, CHART).split('\n').includes(line)) faults.push(`${CHART} has no line "${line}"`);
  }
  return faults;
}

/** Makes everything of that version; what was unreleased becomes its section. */
export function setVersion(root, version, date) {
  const change = (file, edit) => fs.writeFileSync(path.join(root, file), edit(read(root, file)));
  for (const file of manifests(root)) change(file, (text) => text.replace(/("version": )"[^"]*"/, `$1"${version}"`));
  change(CHART, (text) => text.replace(/^((?:appV|v)ersion:) .*$/gm, `$1 ${version}`));
  for (const file of changelogs(root)) {
    change(file, (text) => {
      const isEmpty = sectionOf(text, UNRELEASED) === '';
      const section = `## ${version} (${date})${isEmpty ? '\n\n- Nothing of its own.' : ''}`;
      return text.replace(UNRELEASED, `${UNRELEASED}\n\n${section}`);
    });
  }
}
