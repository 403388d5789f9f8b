// The part of test-single.mjs with compose: the commands of README.md below "With compose", word for word.
import { expectEqual, step } from '../test/steps.mjs';
import { count, powerCut, READY, type } from './journey.mjs';
import { commandsOf } from './readme.mjs';
import { putNewerRelease } from './releases.mjs';

const UP = 'cd /etc/tally && docker compose up --detach --remove-orphans';
/** Blocks of commands below the heading, in their order. */
const [INSTALL, UPGRADE, RESTORE] = [0, 1, 2];

const linesOf = (block) => commandsOf('With compose', block).split('\n').filter(Boolean);
const quiet = (text) => text.replace(/^/gm, '       ');

/**
 * A machine of this kind may be without controllers of cgroups. Then Docker leaves limits out, but refuses those of processors. So these go
 * from the file, and nothing else.
 */
async function dropLimits(machine) {
  if ((await machine.shell('cat /sys/fs/cgroup/cgroup.controllers')).includes('cpu')) return;
  await machine.shell(`sed --in-place '/^    cpus: /d' /etc/tally/compose.yaml`);
}

/** Runs a command as it stands in the README. */
async function run(machine, command) {
  const said = await type(machine, command);
  if (/tally-server compose( |$)/.test(command)) await dropLimits(machine);
  return said;
}

async function install(machine) {
  for (const command of linesOf(INSTALL)) {
    await step(`README: ${command.slice(0, 90)}`, async () => {
      const said = await run(machine, command);
      if (/first-job/.test(command)) console.log(quiet(said));
    });
  }
}

async function whatOperatorsSee(machine) {
  await step('no secret is shown of a container, and none has rights or a writable root', async () => {
    const shown = await machine.shell(`docker inspect $(docker ps --all --quiet)`);
    const secrets = (await machine.shell('cd /etc/tally/secrets && grep --recursive --no-filename "" .')).split('\n');
    // of callers are hashes, which are settings
    const told = secrets
      .filter((text) => !text.includes(':') || text.includes('://'))
      .filter((text) => shown.includes(text));
    expectEqual(told, []);
    for (const { Name: name, HostConfig: host } of JSON.parse(shown)) {
      if (!host.ReadonlyRootfs || host.Privileged || host.CapDrop[0] !== 'ALL') throw new Error(`${name} has rights`);
    }
  });
  await step('doctor looks at what is not of the engine', async () => {
    const lines = await machine.shell('tally-server doctor || true');
    console.log(quiet(lines));
    for (const words of ['All services are able', 'There is no backup', 'All secrets are there'])
      if (!lines.includes(words)) throw new Error(lines);
    if (/journalctl|does not run/.test(lines)) throw new Error(lines);
  });
  await step('a command of units is refused, and says what runs this server', async () => {
    const said = await machine.shell('tally-server up 2>&1 || true');
    if (!said.includes('compose runs this server')) throw new Error(said);
  });
}

async function changeOfValues(machine) {
  const runners = () => machine.shell(`docker ps --format '{{.Names}}' | grep --count ^tally-direct-runner-`);
  const slots = async (number) => {
    await machine.shell(`sed --in-place s/^TALLY_SLOTS=.*/TALLY_SLOTS=${number}/ /etc/tally/tally.env`);
    await run(machine, 'tally-server compose');
    await run(machine, UP);
    expectEqual(await runners(), String(number));
  };
  await step('a change of TALLY_SLOTS starts and removes runners', async () => {
    await slots(2);
    await slots(1);
    await machine.shell('tally-server first-job slots');
  });
}

async function upgradeAndBack(machine, release) {
  const { version: before } = JSON.parse(await machine.shell('cat /etc/tally/installed.json'));
  const isThere = async (version) => {
    await machine.shell(READY);
    expectEqual(
      (await machine.shell(`docker inspect --format '{{.Config.Image}}' tally-jobs`)).split(':').pop(),
      version,
    );
  };
  const jobs = await count(machine, 'docker');
  await step('upgrade: the commands of the README; jobs are what they were', async () => {
    await putNewerRelease(machine, release, '99.1.0', { engine: 'docker' });
    // the images of the newer release are those that are there
    const commands = linesOf(UPGRADE).filter((line) => !line.includes(' load '));
    for (const line of commands) await run(machine, line.replaceAll('0.3.0', '99.1.0'));
    await isThere('99.1.0');
    expectEqual(await count(machine, 'docker'), jobs);
    await machine.shell('tally-server first-job newer');
  });
  await step('back: the last two commands with the former folder', async () => {
    for (const line of linesOf(UPGRADE).slice(-2)) await run(machine, line.replaceAll('0.3.0', before));
    await isThere(before);
    await machine.shell('tally-server first-job older');
  });
}

async function restore(machine) {
  const jobs = await count(machine, 'docker');
  const folder = await step('a backup', () => machine.shell('tally-server backup | tail -1'));
  await step('down: nothing is left but data', async () => {
    await run(machine, 'cd /etc/tally && docker compose down');
    expectEqual(await machine.shell(`docker ps --all --quiet`), '');
  });
  await step(
    'restore: the commands of the README on a machine without Tally; jobs and accounts are there',
    async () => {
      await machine.shell('rm -r /etc/tally /var/lib/tally /opt/tally-single-99.1.0');
      for (const line of linesOf(RESTORE)) await run(machine, line.replaceAll('/path/to/backup', folder));
      await machine.shell(READY);
      expectEqual(await count(machine, 'docker'), jobs);
      await machine.shell('tally-server first-job ada 2>&1 | grep -q "no account ada"'); // the name is taken
      await machine.shell('tally-server first-job bob');
    },
  );
}

/** All of it on a machine that has nothing but the packed release. */
export async function runCompose(machine, release, { isShort }) {
  await install(machine);
  await whatOperatorsSee(machine);
  await powerCut(machine, 'docker');
  if (isShort) return;
  await changeOfValues(machine);
  await upgradeAndBack(machine, release);
  await restore(machine);
}
