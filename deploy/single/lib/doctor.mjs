// What may be wrong with this server: each check is one sentence, and what to do where it is not as it should be.
import fs from 'node:fs';
import path from 'node:path';
import { hasSecretsOf, listBackups } from './backups.mjs';
import { serverVersion } from './databases.mjs';
import { presentUnits, servicesOf, systemdName } from './derive.mjs';
import { request } from './https.mjs';
import { installed, isComposed, logOf, SECRETS, SERVERS, SERVICES, VAR } from './layout.mjs';
import { askReadiness } from './readiness.mjs';
import { isActive, output, podman, succeeds, systemctl } from './system.mjs';

const GIB = 1024 ** 3;
const FREE_MIN = 10 * GIB;
const BACKUP_AGE_MAX_H = 26;
const CERTIFICATE_DAYS_MIN = 14;
const PODMAN_MIN = 5;
const RESTARTS_MAX = 3;
const HOUR_MS = 3_600_000;

const fine = (text) => ({ isFine: true, text });
const wrong = (text, todo) => ({ isFine: false, text, todo });

function disk(folder, what) {
  let place = folder;
  while (!fs.existsSync(place)) place = path.dirname(place);
  const { bavail, bsize, blocks } = fs.statfsSync(place);
  const free = bavail * bsize;
  const said = `${(free / GIB).toFixed(0)} of ${((blocks * bsize) / GIB).toFixed(0)} GiB are free for ${what} (${folder}).`;
  return free >= FREE_MIN
    ? fine(said)
    : wrong(said, 'Make room, or users delete jobs that they need no more; at least 10 GiB should be free.');
}

async function clock() {
  const answer = await output('timedatectl', ['show', '--property', 'NTPSynchronized', '--value']).catch(() => '');
  if (answer === 'yes') return fine('The clock is synchronised.');
  const todo = 'Run: apt-get install systemd-timesyncd; a virtual machine may have the clock of its host instead.';
  return wrong('The clock is not known to be synchronised; sessions and certificates need the time.', todo);
}

async function listenersOf(port) {
  const lines = await output('ss', [
    '--listening',
    '--tcp',
    '--numeric',
    '--processes',
    '--no-header',
    `sport = :${port}`,
  ]).catch(() => '');
  return lines === '' ? undefined : (/users:\(\("([^"]+)"/.exec(lines)?.[1] ?? 'a program');
}

/** Ports of users: ours, or free where nothing of ours runs. */
export async function ports() {
  const isOurs = await isActive('tally-caddy.service');
  for (const port of [80, 443]) {
    const taken = await listenersOf(port);
    if (!isOurs && taken !== undefined)
      return wrong(`Port ${port} is taken by ${taken}.`, `Stop ${taken}, which would get what users send to Tally.`);
  }
  return fine(isOurs ? 'Caddy has the ports 80 and 443.' : 'The ports 80 and 443 are free.');
}

/** The machine can run the units. */
export async function versions() {
  const found = (await output('podman', ['--version']).catch(() => 'none')).replace(/^\D+/, '');
  if (!(Number.parseInt(found, 10) >= PODMAN_MIN))
    return wrong(
      `Podman is ${found || 'missing'}, and ${PODMAN_MIN} is needed.`,
      'Run Debian 13 or later, and: apt-get install podman',
    );
  if (!(await succeeds('systemctl', ['list-units', '--no-legend', '--no-pager'])))
    return wrong(
      'systemd does not answer, which runs the services.',
      'Run tally-server on a machine that systemd has started.',
    );
  const { version } = installed() ?? {};
  const database = await serverVersion().catch(() => undefined);
  return fine(
    [version && `Tally ${version}`, `podman ${found}`, database && `PostgreSQL ${database}`]
      .filter(Boolean)
      .join(', ')
      .concat('.'),
  );
}

async function images(values) {
  const { version } = installed();
  for (const name of [...SERVERS, ...servicesOf(values)]) {
    const image = `localhost/tally/${name}:${version}`;
    if (!(await succeeds('podman', ['image', 'exists', image])))
      return wrong(`The image ${image} is missing.`, 'Run: tally-server up (it loads the images of its release).');
  }
  return fine('All images are there.');
}

async function services() {
  const units = presentUnits()
    .filter((name) => name.endsWith('.container'))
    .map(systemdName);
  for (const unit of units) {
    if (!(await isActive(unit)))
      return wrong(`${unit} does not run.`, `Read: journalctl -u ${unit} -n 50; then: tally-server up`);
    const restarts = Number(await systemctl('show', '--property', 'NRestarts', '--value', unit));
    if (restarts > RESTARTS_MAX)
      return wrong(
        `${unit} was started again ${restarts} times.`,
        `Read: journalctl -u ${unit} -n 200; it says why it ended.`,
      );
  }
  return fine(`All ${units.length} services run.`);
}

async function readiness() {
  const { isReady, reasons } = await askReadiness();
  if (isReady) return fine('All services are able to do their work (databases, migrations, broker, secrets).');
  return wrong(
    `Not ready: ${reasons.join('; ')}.`,
    'docs/runbook/services.md explains each; after a power cut it may take a minute.',
  );
}

async function runners(values) {
  const hosts = await podman('ps', '--filter', 'name=tally-simulator-host-', '--format', '{{.Names}}');
  const count = hosts.split('\n').filter(Boolean).length;
  const wanted = Number(values.TALLY_SLOTS);
  return count === wanted
    ? fine(`${count} tasks can run at a time.`)
    : wrong(`${count} of ${wanted} simulator hosts run.`, 'Run: tally-server up');
}

function backups(values) {
  const folder = values.TALLY_BACKUP_DIR;
  const [newest] = listBackups(folder);
  if (newest === undefined) return wrong(`There is no backup in ${folder}.`, 'Run: tally-server backup');
  const hours = (Date.now() - newest.at.getTime()) / HOUR_MS;
  const said = `The newest backup is ${hours.toFixed(0)} hours old (${newest.folder}).`;
  if (hours > BACKUP_AGE_MAX_H)
    return wrong(
      said,
      isComposed() ? 'Run: tally-server backup' : 'Read: journalctl -u tally-backup; and run: tally-server backup',
    );
  if (!hasSecretsOf(newest.folder))
    return wrong(`${said} Its encryption key is not the one in use.`, 'Run: tally-server backup');
  const isSameDisk = fs.statSync(folder).dev === fs.statSync(VAR).dev;
  return isSameDisk
    ? wrong(
        `${said} It is on the disk of the data.`,
        'Set TALLY_BACKUP_DIR to a folder on another disk, or copy backups away.',
      )
    : fine(said);
}

async function certificate(values) {
  const { certificate: found } = await request(values, 'GET', '/livez', { isChecked: false });
  const until = new Date(found.valid_to);
  const said = `The certificate of ${values.TALLY_HOST} is valid until ${until.toISOString().slice(0, 10)}.`;
  // those of Caddy's own authority are made for half a day, and renewed by it
  const days = values.TALLY_TLS === 'internal' ? 0 : CERTIFICATE_DAYS_MIN;
  if (until.getTime() < Date.now() + days * 24 * HOUR_MS) {
    const todo =
      values.TALLY_TLS === 'files'
        ? 'Replace the files of TALLY_TLS_CERTIFICATE and TALLY_TLS_KEY, and take them into use as a change of a value.'
        : `Read: ${logOf('caddy')}`;
    return wrong(said, todo);
  }
  await request(values, 'GET', '/livez');
  return fine(said);
}

function secrets(values) {
  for (const service of servicesOf(values)) {
    for (const { key } of SERVICES[service].secrets.filter(({ isRequired }) => isRequired)) {
      const file = path.join(SECRETS, service, key);
      if (!fs.existsSync(file))
        return wrong(`The secret ${file} is missing.`, 'Take it from a backup; tally-server up makes a new one.');
      if ((fs.statSync(file).mode & 0o007) !== 0)
        return wrong(`Everybody can read the secret ${file}.`, `Run: chmod 440 ${file}`);
    }
  }
  return fine('All secrets are there, and only their services read them.');
}

/** Checks of a machine that has Tally, in the order in which faults follow from one another. */
const CHECKS = [
  () => disk(VAR, 'data'),
  (values) => disk(values.TALLY_BACKUP_DIR, 'backups'),
  clock,
  ports,
  versions,
  images,
  secrets,
  services,
  readiness,
  runners,
  certificate,
  backups,
];

/** With compose its programs show containers, images and ports. */
const OF_UNITS = new Set([ports, versions, images, services, runners]);

/** Runs all checks; what one of them meets is its fault. */
export async function examine(values) {
  const found = [];
  for (const check of CHECKS.filter((each) => !(isComposed() && OF_UNITS.has(each)))) {
    try {
      found.push(await check(values));
    } catch (err) {
      found.push(wrong(`${err.message}.`, 'Run: tally-server status'));
    }
  }
  return found;
}
