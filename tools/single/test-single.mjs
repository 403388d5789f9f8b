// `pnpm test:single`: deploy/single on a machine made of Debian alone, by the commands of its README: installation, first job, power cut,
// upgrade, roll-back, and restore on a second machine. Needs root, podman, mmdebstrap and Debian's archive; where they are missing it says
// so and passes. The last line is "N passed, N failed".
//   --short      installation, first job and power cut only
//   --compose    with Docker Compose instead of podman and units of systemd
//   --release F  a folder that `pnpm single:bundle --folder` has made, instead of one that is made now
//   --report F   the two numbers also as JSON
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../../packages/testkit/dist/src/index.js';
import { expectEqual, results, step } from '../test/steps.mjs';
import { count, powerCut, READY, type } from './journey.mjs';
import { createMachine, missingForMachines } from './machine.mjs';
import { commandsOf } from './readme.mjs';
import { putNewerRelease, putRelease } from './releases.mjs';
import { runCompose } from './test-compose.mjs';

const MINUTES_MAX = 10;
const COMMANDS_MAX = 5;
const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    compose: { type: 'boolean', default: false },
    release: { type: 'string' },
    report: { type: 'string' },
  },
});
const machines = [];

/** Installs a machine of this name, and switches it on. */
async function startMachine(name, dir) {
  const machine = createMachine(name, { dir, cache: path.join(cacheFolder('single')) });
  machines.push(machine);
  await machine.boot();
  return machine;
}

const jsonOf = async (machine, script) => JSON.parse(await machine.shell(script));

async function install(machine) {
  const commands = commandsOf('Install').split('\n').filter(Boolean);
  if (commands.length > COMMANDS_MAX) throw new Error(`${commands.length} commands`);
  const start = performance.now();
  for (const [index, command] of commands.entries()) {
    if (index === 2) await badValues(machine);
    await step(`README: ${command.slice(0, 90)}`, async () => {
      const said = await type(machine, command);
      if (/first-job/.test(command)) console.log(said.replace(/^/gm, '       '));
    });
  }
  const minutes = (performance.now() - start) / 60_000;
  await step(`from Debian to the first job in ${minutes.toFixed(1)} minutes and ${commands.length} commands`, () => {
    if (minutes > MINUTES_MAX) throw new Error(`more than ${MINUTES_MAX} minutes`);
  });
}

/** Wrong values are named with what they are for, and leave nothing. */
async function badValues(machine) {
  await step('wrong values are named with what they are for, and nothing is left of them', async () => {
    const said = await machine.shell(
      '/opt/tally-single-*/tally-server init TALLY_TLS=magic TALLY_SLOTS=0 TALLY_HOTS=x 2>&1 || true',
    );
    for (const words of [
      'TALLY_TLS=magic is not right: it may be one of automatic',
      'How browsers come to trust',
      'TALLY_SLOTS=0',
      'TALLY_HOTS is no value',
    ])
      if (!said.includes(words)) throw new Error(`${words} is not in: ${said}`);
    expectEqual(
      await machine.shell('ls -d /etc/tally* /var/lib/tally /etc/containers/systemd/tally* 2>/dev/null || true'),
      '',
    );
  });
}

async function upgradeAndBack(machine, release) {
  const { version: before } = await jsonOf(machine, 'cat /etc/tally/installed.json');
  await step('a release that does not start: the former one runs again by itself', async () => {
    await putNewerRelease(machine, release, '99.0.0', { isBroken: true });
    const said = await machine.shell('/opt/tally-single-99.0.0/tally-server upgrade 2>&1 || true');
    if (!said.includes(`${before} runs again`)) throw new Error(said);
    expectEqual((await jsonOf(machine, 'cat /etc/tally/installed.json')).version, before);
    await machine.shell('tally-server first-job broken');
  });
  await step('upgrade: a backup first, then the new release; jobs are what they were', async () => {
    await putNewerRelease(machine, release, '99.1.0');
    const jobs = await count(machine);
    await machine.shell('/opt/tally-single-99.1.0/tally-server upgrade');
    expectEqual((await jsonOf(machine, 'cat /etc/tally/installed.json')).version, '99.1.0');
    expectEqual(await count(machine), jobs);
    await machine.shell('tally-server first-job newer');
  });
  await step('roll-back: the former release runs with all that came since', async () => {
    const jobs = await count(machine);
    await machine.shell('tally-server rollback');
    expectEqual((await jsonOf(machine, 'cat /etc/tally/installed.json')).version, before);
    expectEqual(await count(machine), jobs);
    await machine.shell('tally-server first-job older');
  });
}

async function restoreElsewhere(machine, dir, release) {
  const folder = await step('a backup', () => machine.shell('tally-server backup | tail -1'));
  const jobs = await count(machine);
  await machine.shell('tally-server down');
  const second = await startMachine('second', dir);
  await putRelease(second, release);
  fs.cpSync(path.join(machine.root, folder), path.join(second.root, 'backup'), { recursive: true });
  await step('another machine: the backup is restored, and jobs and accounts are there', async () => {
    await second.shellOnline(`apt-get update -qq && ${commandsOf('Install').split('\n')[0]}`);
    await second.shell('/opt/tally-single-*/tally-server restore /backup');
    expectEqual(await count(second), jobs);
    await second.shell('tally-server first-job ada 2>&1 | grep -q "no account ada"'); // the name is taken
    await second.shell('tally-server first-job bob');
  });
  await step('a damaged backup is refused, and nothing changes', async () => {
    await second.shell('printf x >> /backup/jobs.dump');
    const said = await second.shell('tally-server restore /backup --replace 2>&1 || true');
    if (!said.includes('is damaged: jobs.dump')) throw new Error(said);
    await second.shell('tally-server status');
  });
}

async function doctor(machine) {
  await step('doctor: what is wrong is named, with what to do', async () => {
    const lines = await machine.shell('tally-server doctor || true');
    console.log(lines.replace(/^/gm, '       '));
    for (const words of ['All services are able', 'Caddy has the ports', 'There is no backup'])
      if (!lines.includes(words)) throw new Error(lines);
    await machine.shell('systemctl stop tally-rabbitmq.service');
    const broken = await machine.shell('tally-server doctor || true');
    await machine.shell('systemctl start tally-rabbitmq.service');
    if (!broken.includes('tally-rabbitmq.service does not run')) throw new Error(broken);
    await machine.shell(READY);
  });
}

async function runAll(dir) {
  const { makeRelease } = await import('./bundle.mjs');
  const release = options.release ?? (await step('a release is made', () => makeRelease(dir, { version: '0.2.0' })));
  const machine = await step('a Debian machine starts', () => startMachine('hospital', dir));
  await putRelease(machine, release, { isPacked: true });
  if (options.compose) return runCompose(machine, release, { isShort: options.short });
  await install(machine);
  await doctor(machine);
  await powerCut(machine);
  if (options.short) return;
  await upgradeAndBack(machine, release);
  await restoreElsewhere(machine, dir, release);
}

const missing = missingForMachines();
let isBroken = false;
if (missing.length === 0) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-single-'));
  try {
    await runAll(dir);
  } catch (err) {
    isBroken = true;
    if (results().failed === 0) console.error(err);
    for (const machine of machines) {
      const evidence = [
        'journalctl --no-pager -p warning -n 60',
        'journalctl --no-pager -u "tally-*" -n 120',
        'podman ps -a',
        'cd /etc/tally && docker compose ps -a && docker compose logs --tail 30',
        'systemctl --failed --no-legend',
      ]
        .map((command) => `(${command}) 2>&1 || true`)
        .join('\n');
      console.log(await machine.shell(evidence).catch(String));
    }
  } finally {
    for (const machine of machines) await machine.remove();
    fs.rmSync(dir, { recursive: true, force: true });
  }
} else console.log(`skip   one server: there is no ${missing.join(', ')}`);
const { passed } = results();
const failed = isBroken ? Math.max(results().failed, 1) : results().failed;
if (options.report !== undefined) fs.writeFileSync(options.report, JSON.stringify({ passed, failed }));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
