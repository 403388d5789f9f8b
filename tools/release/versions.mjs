// What a release is made of: one version in every package.json, which is the chart's appVersion, and a section of it in every changelog.
// Between two of them a service may be released alone: a later patch of that version, of its own.
import fs from 'node:fs';
import path from 'node:path';

const UNRELEASED = '## Unreleased';
const CHART = 'k8s/chart/Chart.yaml';

const read = (root, file) => fs.readFileSync(path.join(root, file), 'utf8');
const below = (root, parent) => fs.readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`);
const existing = (root, files) => files.filter((file) => fs.existsSync(path.join(root, file)));

/** The engine's version is that of its physics: results name it, and it changes when they do. */
const OF_ITS_OWN_VERSION = 'packages/engine';

/** Programs that say the version of the whole: a constant, because their bundles have no package.json beside them. */
const CONSTANTS = [
  'packages/batch-helper/src/helper-program.ts',
  'packages/cli/src/program.ts',
  'clients/python/src/tally_client/_version.py',
];
const CONSTANT = /((?:VERSION|__version__) = )(['"])([^'"]*)\2/;

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

const versionOf = (root, file) => JSON.parse(read(root, file)).version;

/** Whether a version is a later patch of another: `0.2.1` of `0.2.0`. */
export function isPatchOf(version, whole) {
  const [major, minor, patch] = version.split(/[.-]/);
  const [majorOfWhole, minorOfWhole, patchOfWhole] = whole.split(/[.-]/);
  return major === majorOfWhole && minor === minorOfWhole && Number(patch) > Number(patchOfWhole);
}

/** What is wrong with versions: of everything that of the whole, but for services that were released alone. */
function versionFaults(root) {
  const whole = versionOf(root, 'package.json');
  return manifests(root).flatMap((file) => {
    const version = versionOf(root, file);
    if (version === whole) return [];
    if (!file.startsWith('services/')) return [`${file} is not of version ${whole}`];
    if (!isPatchOf(version, whole)) return [`${file} is of version ${version}, which is no later patch of ${whole}`];
    const changelog = file.replace('package.json', 'CHANGELOG.md');
    return read(root, changelog).includes(`\n## ${version} (`) ? [] : [`${changelog} has no section ${version}`];
  });
}

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
  faults.push(...versionFaults(root));
  const version = versionOf(root, 'package.json');
  const stale = CONSTANTS.filter((file) => CONSTANT.exec(read(root, file))?.[3] !== version);
  faults.push(...stale.map((file) => `${file} does not say version ${version}`));
  const line = `appVersion: ${version}`;
  if (!read(root, CHART).split('\n').includes(line)) faults.push(`${CHART} has no line "${line}"`);
  return faults;
}

const change = (root, file, edit) => fs.writeFileSync(path.join(root, file), edit(read(root, file)));

const setManifest = (root, file, version) =>
  change(root, file, (text) => text.replace(/("version": )"[^"]*"/, `$1"${version}"`));

/** What was unreleased becomes the section of a version. */
const closeChangelog = (root, file, version, date) =>
  change(root, file, (text) => {
    const isEmpty = sectionOf(text, UNRELEASED) === '';
    const section = `## ${version} (${date})${isEmpty ? '\n\n- Nothing of its own.' : ''}`;
    return text.replace(UNRELEASED, `${UNRELEASED}\n\n${section}`);
  });

/** Makes everything of that version; what was unreleased becomes its section. @throws Error: a service is further */
export function setVersion(root, version, date) {
  for (const file of manifests(root)) {
    const own = versionOf(root, file);
    if (own === version || isPatchOf(own, version)) throw new Error(`${file} is of version ${own} already`);
  }
  for (const file of manifests(root)) setManifest(root, file, version);
  for (const file of existing(root, CONSTANTS))
    change(root, file, (text) => text.replace(CONSTANT, `$1$2${version}$2`));
  change(root, CHART, (text) => text.replace(/^(appVersion:) .*$/m, `$1 ${version}`));
  for (const file of changelogs(root)) closeChangelog(root, file, version, date);
}

/**
 * Makes one service of a version of its own; what was unreleased of it becomes that version's section.
 * @throws Error: there is no such service, the version is no later patch of the one it has, or nothing of it is unreleased
 */
export function setServiceVersion(root, service, version, date) {
  const [manifest, changelog] = ['package.json', 'CHANGELOG.md'].map((file) => `services/${service}/${file}`);
  if (!below(root, 'services').includes(`services/${service}`)) throw new Error(`there is no service ${service}`);
  const before = versionOf(root, manifest);
  if (!isPatchOf(version, before))
    throw new Error(`a service alone gets a later patch of ${before}; for more release the whole`);
  if (sectionOf(read(root, changelog), UNRELEASED) === '')
    throw new Error(`${changelog} has nothing under "${UNRELEASED}"`);
  setManifest(root, manifest, version);
  closeChangelog(root, changelog, version, date);
}
