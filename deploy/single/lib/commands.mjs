// The commands of tally-server.
import fs from 'node:fs';
import { backUp, listBackups, restore } from './backups.mjs';
import { writeCompose } from './compose.mjs';
import { presentUnits, systemdName, writeSecrets } from './derive.mjs';
import { examine, ports, versions } from './doctor.mjs';
import { runFirstJob } from './first-job.mjs';
import { AUTHORITY } from './https.mjs';
import { apply, readValues, removeUnits } from './install.mjs';
import {
  COMPOSE_FILE,
  ENV_FILE,
  ETC,
  INSTALLED_FILE,
  installed,
  isComposed,
  isInitialised,
  VERSION,
} from './layout.mjs';
import { askReadiness } from './readiness.mjs';
import { Fault, makeFolder, say, systemctl } from './system.mjs';
import { rollback, upgrade } from './upgrade.mjs';
import { envText, faultsOf, initialValues, parseEnv, VALUES } from './values.mjs';

/** `NAME=value` of a command line. @throws Fault for what is none */
function readChanges(positionals) {
  const { values, faults } = parseEnv(positionals.join('\n'));
  if (faults.length > 0) throw new Fault(faults.join('\n'));
  return values;
}

function requireRelease() {
  if (VERSION === undefined)
    throw new Fault(
      'this is a folder of the sources, and no release: make one with node tools/single/bundle.mjs (deploy/single/README.md)',
    );
}

/** Writes values and secrets of a new server. @throws Fault with all faults of the values, and those of the machine */
function writeInitial(positionals, machineFaults) {
  const values = { ...initialValues(), ...readChanges(positionals) };
  const faults = [...faultsOf(values), ...machineFaults];
  if (faults.length > 0) throw new Fault(`nothing was installed:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  // all of it or nothing
  const part = `${ETC}.part`;
  fs.rmSync(part, { recursive: true, force: true });
  makeFolder(part, { mode: 0o755 });
  writeSecrets(`${part}/secrets`);
  fs.writeFileSync(`${part}/tally.env`, envText(values), { flush: true });
  fs.rmSync(ETC, { recursive: true, force: true });
  fs.renameSync(part, ETC);
}

async function init(positionals) {
  requireRelease();
  if (isInitialised()) throw new Fault(`there is ${ENV_FILE} already; change it and run: tally-server up`);
  const machine = (await Promise.all([versions(), ports()])).filter(({ isFine }) => !isFine);
  writeInitial(
    positionals,
    machine.map(({ text, todo }) => `${text} ${todo}`),
  );
  say(
    `${ENV_FILE} has ${Object.keys(VALUES).length} values, each with what it is for. Look at them, then run: tally-server up`,
  );
}

function compose(positionals) {
  requireRelease();
  if (presentUnits().length > 0)
    throw new Fault('systemd runs this server; README.md of the release says how its units are removed');
  if (!isInitialised()) writeInitial(positionals, []);
  else if (positionals.length > 0) throw new Fault(`there is ${ENV_FILE} already; change it there`);
  const values = readValues();
  writeCompose(values);
  say(`${COMPOSE_FILE} runs ${VERSION} with the values of ${ENV_FILE}; start it, or take changes into use:
  cd ${ETC} && docker compose up --detach --remove-orphans`);
}

async function up() {
  requireRelease();
  const values = readValues();
  const before = installed();
  if (before === undefined) {
    const taken = await ports();
    if (!taken.isFine) throw new Fault(`${taken.text} ${taken.todo}`);
  }
  try {
    await apply(values);
  } catch (err) {
    if (before === undefined) {
      await removeUnits();
      fs.rmSync(INSTALLED_FILE, { force: true });
    }
    throw err;
  }
  say(`ready: https://${values.TALLY_HOST}/console/`);
  if (values.TALLY_TLS === 'internal') say(`browsers trust it with the certificate ${AUTHORITY}`);
}

async function down() {
  await systemctl('disable', '--now', 'tally.target', 'tally-backup.timer');
  const units = presentUnits()
    .filter((name) => name.endsWith('.container'))
    .map(systemdName);
  if (units.length > 0) await systemctl('stop', ...units);
  say('stopped, also for the next start of the machine; tasks that ran begin again after: tally-server up');
}

async function status() {
  const values = readValues();
  const { version, previous } = installed() ?? {};
  say(
    `Tally ${version ?? '(not installed)'}${previous ? `, before it ${previous.version}` : ''} at https://${values.TALLY_HOST}/`,
  );
  for (const name of presentUnits()
    .filter((each) => each.endsWith('.container'))
    .toSorted()) {
    const unit = systemdName(name);
    const shown = await systemctl('show', '--property', 'ActiveState,SubState,ActiveEnterTimestamp', unit);
    const {
      ActiveState: state,
      SubState: sub,
      ActiveEnterTimestamp: since,
    } = Object.fromEntries(shown.split('\n').map((line) => line.split(/=(.*)/)));
    say(`  ${unit.replace('.service', '').padEnd(26)} ${`${state} (${sub})`.padEnd(22)} ${since}`);
  }
  const { isReady, reasons } = await askReadiness();
  say(isReady ? 'ready' : `not ready: ${reasons.join('; ')}`);
  const [newest] = listBackups(values.TALLY_BACKUP_DIR);
  say(newest === undefined ? 'no backup yet' : `newest backup: ${newest.folder}`);
  return isReady;
}

async function doctor() {
  const found = await examine(readValues());
  for (const { isFine, text, todo } of found)
    say(`${isFine ? 'ok   ' : 'LOOK '} ${text}${todo === undefined ? '' : `\n      ${todo}`}`);
  return found.every(({ isFine }) => isFine);
}

async function restoreFrom([folder, ...changes], { replace = false }) {
  requireRelease();
  if (folder === undefined) throw new Fault('which backup? tally-server restore <folder> [--replace] [NAME=value …]');
  await restore(folder, readChanges(changes), replace);
  say('restored, and ready');
}

/** A command of servers that systemd runs. */
const withUnits =
  (run) =>
  (...args) => {
    if (isComposed())
      throw new Fault(`compose runs this server (${COMPOSE_FILE}); README.md of the release has its commands`);
    return run(...args);
  };

/** By name: what it takes, what it does, and how. */
export const COMMANDS = {
  init: { args: '[NAME=value …]', does: 'writes /etc/tally/tally.env and secrets; starts nothing', run: init },
  compose: {
    args: '[NAME=value …]',
    does: 'writes /etc/tally/compose.yaml instead, for Docker Compose',
    run: compose,
  },
  up: { args: '', does: 'starts everything, and takes changes of tally.env into use', run: withUnits(up) },
  down: { args: '', does: 'stops everything; data stays', run: withUnits(down) },
  status: { args: '', does: 'shows services, readiness, newest backup', run: status },
  doctor: { args: '', does: 'looks for what is wrong or will be, and says what to do', run: doctor },
  'first-job': {
    args: '[name]',
    does: 'makes an account and runs an example in it',
    run: ([name = 'first']) => runFirstJob(readValues(), name),
  },
  backup: {
    args: '',
    does: 'writes a backup to TALLY_BACKUP_DIR, as every night',
    run: async () => say(await backUp(readValues())),
  },
  restore: {
    args: '<folder> [--replace] [NAME=value …]',
    does: 'puts a backup in the place of what is here',
    options: { replace: { type: 'boolean' } },
    run: withUnits(restoreFrom),
  },
  upgrade: {
    args: '',
    does: 'installs the release of this folder: backup, migrations, restart',
    run: withUnits(upgrade),
  },
  rollback: { args: '', does: 'runs the release before this one again', run: withUnits(rollback) },
};
