// Puts this machine into the state that tally.env describes, and takes it out again.
import fs from 'node:fs';
import path from 'node:path';
import { makeDatabases, migrate, waitForPostgres } from './databases.mjs';
import {
  dataFolders,
  derivedFiles,
  hostToolsFolder,
  presentUnits,
  servicesOf,
  systemdName,
  unitFile,
  unitsOf,
  writeSecrets,
} from './derive.mjs';
import {
  COMMAND,
  DERIVED,
  ENV_FILE,
  INSTALLED_FILE,
  installed,
  RELEASE,
  SECRETS,
  SERVERS,
  VERSION,
} from './layout.mjs';
import { waitUntilReady } from './readiness.mjs';
import { Fault, isActive, makeFolder, output, podman, say, succeeds, systemctl, writeFile } from './system.mjs';
import { faultsOf, parseEnv } from './values.mjs';

const READY_TIMEOUT_MS = 300_000;

/** The values of tally.env. @throws Fault with all that is wrong with them */
export function readValues() {
  if (!fs.existsSync(ENV_FILE)) throw new Fault(`there is no ${ENV_FILE}; run: tally-server init`);
  const { values, faults } = parseEnv(fs.readFileSync(ENV_FILE, 'utf8'));
  const all = [...faults, ...faultsOf(values)];
  if (all.length > 0) throw new Fault(`${ENV_FILE}:\n${all.map((fault) => `  ${fault}`).join('\n')}`);
  return values;
}

const imagesOf = (values, version) =>
  [...SERVERS, ...servicesOf(values)].map((name) => `localhost/tally/${name}:${version}`);
const isMissing = async (image) => !(await succeeds('podman', ['image', 'exists', image]));

async function missingImages(values, version) {
  const missing = [];
  for (const image of imagesOf(values, version)) if (await isMissing(image)) missing.push(image);
  return missing;
}

/** Loads the images of this release, where podman does not have them. */
export async function loadImages(values) {
  if (values.TALLY_SIMULATORS_IMAGE !== '' && (await isMissing(values.TALLY_SIMULATORS_IMAGE)))
    throw new Fault(`TALLY_SIMULATORS_IMAGE: podman has no image ${values.TALLY_SIMULATORS_IMAGE}; load or build it`);
  if ((await missingImages(values, VERSION)).length === 0) return;
  const archive = path.join(RELEASE, 'images.tar');
  if (!fs.existsSync(archive)) throw new Fault(`the images of ${VERSION} are neither in podman nor in ${archive}`);
  say('loading images …');
  await podman('load', '--quiet', '--input', archive);
  const missing = await missingImages(values, VERSION);
  if (missing.length > 0) throw new Fault(`${archive} lacks ${missing.join(', ')}`);
}

/** Programs that simulators find in their container, of this version. */
async function installHostTools(version) {
  const folder = hostToolsFolder(version);
  if (fs.existsSync(path.join(folder, '.complete'))) return;
  const program = '/app/node_modules/@tally/launcher/dist/src/bin/install-simulator-host.js';
  const args = [
    'run',
    '--rm',
    '--network',
    'none',
    '--read-only',
    '--cap-drop',
    'all',
    '--pids-limit',
    '0',
    '--user',
    '10001:10001',
  ];
  const image = `localhost/tally/direct-runner:${version}`;
  await output('podman', [
    ...args,
    '--volume',
    `${folder}:/opt/tally`,
    image,
    program,
    '/opt/tally',
    '/app/node_modules/@tally/engine/dist/tally-engine.mjs',
  ]);
}

/** Writes the files of what is derived, and removes what is not any more. @returns services whose files have changed */
export function writeDerived(files) {
  const names = new Set(files.map(({ file }) => file));
  for (const entry of fs.existsSync(DERIVED) ? fs.readdirSync(DERIVED, { recursive: true, withFileTypes: true }) : []) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !names.has(file)) fs.rmSync(file);
  }
  const changed = files.filter(({ file, text, group = 0 }) => writeFile(file, text, { mode: 0o440, group }));
  return new Set(changed.map(({ service }) => service));
}

/** Writes units, and removes those that this server does not have any more. @returns names of those that have changed */
async function writeUnits(units) {
  const changed = [...units].filter(([name, text]) => writeFile(unitFile(name), text)).map(([name]) => name);
  const surplus = presentUnits().filter((name) => !units.has(name));
  for (const name of surplus) {
    await succeeds('systemctl', ['stop', systemdName(name)]);
    fs.rmSync(unitFile(name), { force: true });
  }
  await systemctl('daemon-reload');
  return changed;
}

/** The network of the proxy, from which the gateway takes the addresses of users. */
async function edgeNetwork() {
  await systemctl('start', 'tally-edge-network.service', 'tally-network.service', 'tally-out-network.service');
  const [network] = JSON.parse(await podman('network', 'inspect', 'tally-edge'));
  return network.subnets.map(({ subnet }) => subnet).join(',');
}

/** Folders of data, where containers of one runner meet, and where they find their programs. */
export function makeFolders(values, version) {
  for (const { folder, ...how } of dataFolders(values, version)) makeFolder(folder, how);
}

/** The service that a unit runs, and a pattern of its numbers. */
const serviceOfUnit = (name) => /^tally-(.*?)(-\d+)?\.container$/.exec(name)?.[1];

/** Images, folders, secrets, units and what services read: all that is there before anything starts. */
export async function prepare(values, version = VERSION) {
  await loadImages(values);
  makeFolders(values, version);
  const secrets = writeSecrets();
  fs.chmodSync(SECRETS, 0o700);
  const units = unitsOf(values, version);
  const changedUnits = await writeUnits(units);
  const changedServices = writeDerived(derivedFiles(values, { secrets, edge: await edgeNetwork() }));
  await installHostTools(version);
  const isChanged = (name) => changedUnits.includes(name) || changedServices.has(serviceOfUnit(name));
  return { secrets, units: [...units.keys()], isChanged };
}

/**
 * Brings everything up to this release and these values: images, secrets, units, databases, migrations; restarts what has changed, and
 * waits until it is ready. @throws Fault that says what is not, and why
 */
export async function apply(values, version = VERSION) {
  const active = await activeUnits();
  const { secrets, units, isChanged } = await prepare(values, version);
  const stale = new Set(units.filter((name) => active.has(name) && isChanged(name)));
  for (const name of ['tally-postgresql.container', 'tally-rabbitmq.container'])
    await systemctl(stale.delete(name) ? 'restart' : 'start', systemdName(name));
  await waitForPostgres();
  const services = servicesOf(values);
  await makeDatabases(services, secrets);
  await migrate(services, version);
  noteInstalled(version);
  say('starting services …');
  await systemctl('enable', '--quiet', 'tally.target', 'tally-backup.timer');
  if (stale.size > 0) await systemctl('restart', '--no-block', ...[...stale].map(systemdName));
  await systemctl('start', '--no-block', 'tally.target', 'tally-backup.timer');
  await waitUntilReady(READY_TIMEOUT_MS);
}

/** Containers of ours that run. */
async function activeUnits() {
  const active = new Set();
  for (const name of presentUnits().filter((each) => each.endsWith('.container')))
    if (await isActive(systemdName(name))) active.add(name);
  return active;
}

/** The release before `version`, when it takes the place of what is here; of one that one has gone back to, none is known. */
function releaseBefore(version) {
  const { previous, ...here } = installed() ?? {};
  if (here.version === version) return previous;
  return here.version === undefined || previous?.version === version ? undefined : here;
}

/** Notes which release is here, and makes its tally-server the one that is found. */
export function noteInstalled(version) {
  const previous = releaseBefore(version);
  writeFile(INSTALLED_FILE, `${JSON.stringify({ version, release: RELEASE, ...(previous && { previous }) })}\n`);
  fs.rmSync(COMMAND, { force: true });
  fs.symlinkSync(path.join(RELEASE, 'tally-server'), COMMAND);
}

/** Takes away what `apply` has made for systemd; data, secrets and values stay. */
export async function removeUnits() {
  await succeeds('systemctl', ['disable', '--now', 'tally.target', 'tally-backup.timer']);
  const names = presentUnits();
  for (const name of names.filter((each) => each.endsWith('.container')))
    await succeeds('systemctl', ['stop', systemdName(name)]);
  for (const name of names) fs.rmSync(unitFile(name), { force: true });
  await systemctl('daemon-reload');
  await succeeds('systemctl', ['reset-failed', 'tally*']);
}

/** Stops everything but PostgreSQL. */
export async function stopServices() {
  const names = presentUnits().filter((name) => name.endsWith('.container') && name !== 'tally-postgresql.container');
  await systemctl('stop', ...names.map(systemdName));
}
