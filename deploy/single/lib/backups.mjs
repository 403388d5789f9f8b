// Backups: dumps of all databases with the values and secrets that belong to them, complete or not there at all.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { dumpDatabases, makeDatabases, restoreDatabases, waitForPostgres } from './databases.mjs';
import { readSecrets, servicesOf, writeSecrets } from './derive.mjs';
import { apply, prepare, readValues, stopServices } from './install.mjs';
import {
  DATA_OF_SERVICES,
  ENV_FILE,
  ETC,
  EXTRA,
  installed,
  isComposed,
  isInitialised,
  readJson,
  SECRETS,
  VAR,
  VERSION,
} from './layout.mjs';
import { Fault, isActive, makeFolder, say, systemctl } from './system.mjs';
import { envText, faultsOf, parseEnv } from './values.mjs';

const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

async function sha256(file) {
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

const filesBelow = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();

/** Complete backups of a folder, the newest first, with their moment. */
export function listBackups(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .map((name) => ({
      folder: path.join(folder, name),
      at: new Date(name.replace(/T(\d{2})-(\d{2})-(\d{2})Z/, 'T$1:$2:$3Z')),
    }));
}

/** Does some work with PostgreSQL, which stops behind it where it did not run; with compose it has to run. */
async function withPostgres(work) {
  if (isComposed()) return work();
  const unit = 'tally-postgresql.service';
  const wasActive = await isActive(unit);
  await systemctl('start', unit);
  await waitForPostgres();
  const found = await work();
  if (!wasActive) await systemctl('stop', unit);
  return found;
}

/** Makes a backup, and removes the oldest above the number that is kept. @returns its folder */
export async function backUp(values) {
  const all = values.TALLY_BACKUP_DIR;
  makeFolder(all, { mode: 0o700 });
  const name = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  const part = path.join(all, `${name}.part`);
  for (const left of fs.readdirSync(all).filter((each) => each.endsWith('.part')))
    fs.rmSync(path.join(all, left), { recursive: true });
  fs.mkdirSync(part, { mode: 0o700 });
  const dumps = await withPostgres(() => dumpDatabases(part));
  fs.copyFileSync(ENV_FILE, path.join(part, 'tally.env'));
  for (const folder of [SECRETS, EXTRA]) {
    if (fs.existsSync(folder)) fs.cpSync(folder, path.join(part, path.basename(folder)), { recursive: true });
  }
  const sums = {};
  for (const file of filesBelow(part)) sums[file] = await sha256(path.join(part, file));
  const manifest = { version: installed()?.version ?? VERSION, dumps, sums };
  fs.writeFileSync(path.join(part, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  const folder = path.join(all, name);
  fs.renameSync(part, folder);
  for (const old of listBackups(all).slice(Number(values.TALLY_BACKUPS_KEPT)))
    fs.rmSync(old.folder, { recursive: true });
  return folder;
}

/** What a backup says of itself. @throws Fault when it is none, or a file is not as it was written */
export async function readBackup(folder) {
  const file = path.join(folder, 'backup.json');
  if (!fs.existsSync(file)) throw new Fault(`${folder} is no backup: it has no backup.json`);
  const manifest = readJson(file);
  for (const [name, sum] of Object.entries(manifest.sums)) {
    const place = path.join(folder, name);
    if (!fs.existsSync(place)) throw new Fault(`${folder} is not whole: ${name} is missing`);
    if ((await sha256(place)) !== sum) throw new Fault(`${folder} is damaged: ${name} is not as it was written`);
  }
  return manifest;
}

const isNewer = (version, other) => version.localeCompare(other, 'en', { numeric: true }) > 0;

/**
 * Puts a backup in the place of what is on this machine, with its accounts, jobs, results, secrets and values.
 * @param changes - values that are others here
 * @param isReplacing - that what is here may go; it is backed up first
 */
export async function restore(folder, changes, isReplacing) {
  const manifest = await readBackup(folder);
  if (isNewer(manifest.version, VERSION))
    throw new Fault(
      `the backup is of ${manifest.version}, and this is ${VERSION}: restore it with ${manifest.version} or later`,
    );
  const { values: before } = parseEnv(fs.readFileSync(path.join(folder, 'tally.env'), 'utf8'));
  const values = { ...before, ...changes };
  const faults = faultsOf(values);
  if (faults.length > 0)
    throw new Fault(
      `the values of the backup do not fit this machine; give others as NAME=value:\n  ${faults.join('\n  ')}`,
    );
  if (isInitialised()) {
    if (!isReplacing)
      throw new Fault('there is a server here already; with --replace it is backed up, and the backup takes its place');
    say(`what was here is in ${await backUp(readValues())}`);
    await stopServices();
  }
  makeFolder(ETC, { mode: 0o755 });
  for (const place of [SECRETS, EXTRA]) {
    fs.rmSync(place, { recursive: true, force: true });
    const kept = path.join(folder, path.basename(place));
    if (fs.existsSync(kept)) fs.cpSync(kept, place, { recursive: true });
  }
  const secrets = writeSecrets();
  fs.writeFileSync(ENV_FILE, envText(values));
  // messages name attempts of the lost time, and tasks are computed again
  for (const place of [path.join(VAR, 'rabbitmq'), DATA_OF_SERVICES])
    fs.rmSync(place, { recursive: true, force: true });
  await prepare(values);
  await systemctl('start', 'tally-postgresql.service');
  await waitForPostgres();
  await makeDatabases(servicesOf(values), secrets);
  say('restoring databases …');
  await restoreDatabases(folder, manifest.dumps);
  await apply(values);
}

export const hasSecretsOf = (folder) => {
  const [here, there] = [readSecrets(), readSecrets(path.join(folder, 'secrets'))];
  return here.auth?.['encryption-key'] === there.auth?.['encryption-key'];
};
