// What a task costs in the runner that is not the simulation: tasks whose simulator is a shell that copies a finished
// output, run by a real runner through a real broker, with stand-ins of jobs and results in this process. Once without
// confinement, once with bubblewrap, and with --slots 1, as root, once in a simulator host: the difference is what that costs. Beside it the floor: the start of a program that
// does nothing, by a Node process that does nothing else.
// Processor time is what the kernel counts for the runner alone, without simulators, broker and stand-ins.
// Usage: node bench/launch.mjs [--tasks 300] [--jobs 1] [--slots 2] [--profile <folder>]. Needs a build (pnpm build).
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { messages, QUEUE_TOPOLOGY, TASK_QUEUE } from '../packages/contracts/dist/src/index.js';
import { openQueue, silentLogger } from '../packages/service-kit/dist/src/index.js';
import { findDriver, readProject } from '../packages/simulators/dist/src/index.js';
import {
  asUser,
  createPodFolders,
  createRunDirectory,
  POD_IDS,
  removeRunDirectory,
  ServiceProcess,
  startRabbitmq,
  startSimulatorHost,
  testCallerToken,
  workspaceRoot,
} from '../packages/testkit/dist/src/index.js';
import { startJobsStandIn } from '../services/direct-runner/dist/test/stand-in/jobs.js';
import { startResultsStandIn } from '../services/direct-runner/dist/test/stand-in/results.js';

const text = { type: 'string' };
const { values } = parseArgs({ options: { tasks: text, jobs: text, slots: text, idle: text, profile: text } });
const TASKS = Number(values.tasks ?? 300);
const JOBS = Number(values.jobs ?? 1);
const SLOTS = Number(values.slots ?? 2);
const IDLE_SECONDS = Number(values.idle ?? 10);
/** V8 collects the garbage of the start some seconds later. */
const SETTLE_MS = 12_000;
const WARM_UP_TASKS = 40;
/** Tasks of which a mean is taken; the median of the means is shown. */
const GROUP_TASKS = 20;
const TEMPORARY_BYTES = 64 * 2 ** 20;
const SPAWNS = 400;
const PRIMARIES = 100;
const TICK_MS = 1000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout);
const say = (line) => process.stdout.write(`${line}\n`);
const row = (what, ...columns) => say(`  ${what.padEnd(44)}${columns.map((column) => column.padStart(14)).join('')}`);
const ms = (value) => `${value.toFixed(2)} ms`;

/** Processor time of a process (exact, of the threads that live) and of the children that it has waited for, ms, proc(5). */
function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [childrenUser, childrenSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  const own = readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, threadMs) => sum + threadMs, 0);
  return { own, children: (Number(childrenUser) + Number(childrenSystem)) * TICK_MS };
}

/** Memory of a process, MB: its share (PSS) and all that is resident (RSS). */
function memory(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const [rss, pss] = ['Rss', 'Pss'].map(
    (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)[1]) / 1024,
  );
  return { rss, pss };
}

/** Starts `/bin/true` again and again; prints processor time of this process and of its children for each, ms. */
const FLOOR = `
  const { spawn } = require('node:child_process');
  const start = () => new Promise((resolve) => {
    const child = spawn('/bin/true', [], { detached: true, stdio: 'ignore', env: {} });
    child.on('exit', resolve);
  });
  (async () => {
    for (let i = 0; i < 40; i += 1) await start();
    const before = process.cpuUsage();
    const startedAt = performance.now();
    for (let i = 0; i < ${SPAWNS}; i += 1) await start();
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ cpuMs: (user + system) / 1000 / ${SPAWNS}, wallMs: (performance.now() - startedAt) / ${SPAWNS} }));
  })();`;

async function measureFloor() {
  const child = spawn(process.execPath, ['-e', FLOOR], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output);
}

/** A deck as a submission makes it, and a simulator that copies the output which the stand-in of simA makes of it. */
function makeSimulator(directory) {
  const root = workspaceRoot();
  const project = JSON.parse(readFileSync(path.join(root, 'examples/proton-bone-slab.json'), 'utf8'));
  project.scoringManager.outputs = project.scoringManager.outputs.filter(({ name }) => name !== 'dose_map'); // 96 kB
  const driver = findDriver('simA', 'editor', new Map([['simA', '1.0.0']]));
  const { files } = driver.convert(readProject(project));
  chmodSync(directory, 0o755); // for the users of a pod
  const folder = path.join(directory, 'finished');
  mkdirSync(folder);
  const share = driver.apportion(files, { primaries: PRIMARIES, firstHistory: 0, seed: '42' });
  for (const [name, content] of Object.entries(share)) writeFileSync(path.join(folder, name), content);
  const standIn = path.join(root, 'packages/testkit/dist/src/stand-ins/sim-a.js');
  const { status, stderr } = spawnSync(process.execPath, [standIn, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const programs = path.join(directory, 'programs');
  mkdirSync(programs);
  const executable = path.join(programs, 'no-op-simulator');
  writeFileSync(executable, `#!/bin/sh\necho "Version: no-op"\nexec cp ${folder}/*.bdo "$1"\n`);
  chmodSync(executable, 0o755);
  return { files, executable, folder };
}

async function runTasks({ jobs, queue }, count, jobIds) {
  const attempts = [];
  const startedAt = performance.now();
  for (let task = 0; task < count; task += 1) {
    const order = {
      attemptId: crypto.randomUUID(),
      jobId: jobIds[task % jobIds.length],
      taskId: Math.floor(task / jobIds.length) + 1,
      attempt: 1,
      simType: 'simA',
      inputType: 'editor',
      primaries: PRIMARIES,
      firstHistory: 0,
      seed: '42',
      leaseMs: 15_000,
      heartbeatMs: 2_000,
    };
    attempts.push(jobs.addAttempt(order));
    await queue.publish(TASK_QUEUE, {
      id: order.attemptId,
      body: messages.TaskQueued.encode(order).finish(),
      headers: {},
    });
  }
  while (attempts.some(({ end }) => end === undefined)) await sleep(5);
  const failed = attempts.find(({ end }) => end.$case !== 'completed');
  if (failed !== undefined) throw new Error(JSON.stringify(failed.end));
  return performance.now() - startedAt;
}

/** The folders of a pod and its simulator host, where that is to confine. */
function startPod(confinement, folder, executable) {
  if (confinement !== 'container') return undefined;
  const folders = createPodFolders();
  const readOnlyPaths = [folder, path.dirname(executable)];
  const host = startSimulatorHost({ folders, readOnlyPaths, temporaryBytesMax: TEMPORARY_BYTES });
  return { folders, stop: () => host.stop().then(() => folders.remove()) };
}

/** What tasks cost in a runner of its own. */
async function measure(confinement, { directory, url, queue, jobs, results, files, executable, folder }) {
  const profiling =
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile, confinement)}`];
  const main = path.join(workspaceRoot(), 'services/direct-runner/dist/src/main.js');
  const pod = startPod(confinement, folder, executable);
  const runner = new ServiceProcess({
    service: 'direct-runner',
    name: `direct-runner-${confinement}`,
    directory,
    command: () => [
      ...(pod === undefined ? [] : asUser(POD_IDS.runner)),
      process.execPath,
      '--enable-source-maps',
      ...profiling,
      main,
    ],
    env: {
      RUNNER_CALLER_TOKEN: testCallerToken('direct-runner'),
      RUNNER_QUEUE_URL: url.href,
      RUNNER_JOBS_ADDRESS: jobs.address,
      RUNNER_RESULTS_ADDRESS: results.address,
      RUNNER_LISTEN_ADDRESS: '127.0.0.1:0',
      RUNNER_WORK_DIR: pod?.folders.work ?? mkdtempSync(path.join(directory, 'work-')),
      ...(pod === undefined ? {} : { RUNNER_HOST_CONTROL_DIR: pod.folders.control }),
      RUNNER_CONFINEMENT: confinement,
      RUNNER_SIMULATORS: JSON.stringify({ simA: { executable, readOnlyPaths: [folder], version: '1.0.0' } }),
      RUNNER_SLOTS: String(SLOTS),
    },
    onCrash: say,
  });
  await runner.start();
  try {
    const jobIds = Array.from({ length: JOBS }, (_, index) => `bench-${confinement}-${index}`);
    const warmUp = `warm-up-${confinement}`;
    for (const jobId of [...jobIds, warmUp]) results.addDeck(jobId, files);
    await sleep(SETTLE_MS);
    const idle = processorTime(runner.pid);
    const idleMemory = memory(runner.pid);
    await sleep(IDLE_SECONDS * 1000);
    const idleMs = processorTime(runner.pid).own - idle.own;
    await runTasks({ jobs, queue }, WARM_UP_TASKS, [warmUp]);
    const before = processorTime(runner.pid);
    const wallMs = [];
    for (let done = 0; done < TASKS; done += GROUP_TASKS) {
      wallMs.push((await runTasks({ jobs, queue }, GROUP_TASKS, jobIds)) / GROUP_TASKS);
    }
    const after = processorTime(runner.pid);
    return {
      ownMs: (after.own - before.own) / TASKS,
      childrenMs: (after.children - before.children) / TASKS,
      // tasks run side by side: how long one takes in its slot
      wallMs: median(wallMs) * SLOTS,
      idlePercent: idleMs / IDLE_SECONDS / 10,
      idleMemory,
      busyMemory: memory(runner.pid),
    };
  } finally {
    await runner.close();
    await pod?.stop();
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function report(floor, none, bubblewrap, container) {
  say(`${TASKS} no-op tasks of ${JOBS} job(s), ${SLOTS} slot(s), without confinement and with bubblewrap`);
  row('', 'none', 'bubblewrap', 'more', 'ratio');
  const compare = (what, key) => {
    const [plain, confined] = [none[key], bubblewrap[key]];
    row(what, ms(plain), ms(confined), ms(confined - plain), (confined / plain).toFixed(2));
  };
  compare('a task in its slot, wall time', 'wallMs');
  if (container !== undefined) {
    row('in a simulator host, wall time, more', ms(container.wallMs), ms(container.wallMs - none.wallMs));
  }
  compare('a task in the runner, processor time', 'ownMs');
  compare("a task's simulator and its start", 'childrenMs');
  row('floor: spawn of /bin/true, processor, wall time', ms(floor.cpuMs), ms(floor.wallMs));
  row('the idle runner', `${none.idlePercent.toFixed(2)} %`, `${bubblewrap.idlePercent.toFixed(2)} %`);
  for (const kind of ['pss', 'rss']) {
    const columns = [none, bubblewrap].flatMap(({ idleMemory, busyMemory }) => [idleMemory[kind], busyMemory[kind]]);
    row(`memory idle, after (${kind}), twice`, ...columns.map((megabytes) => `${megabytes.toFixed(0)} MB`));
  }
}

const directory = createRunDirectory('bench');
/** Not below /tmp: a simulator host has one of its own. */
const simulators = mkdtempSync('/var/tmp/tally-launch-');
const broker = await startRabbitmq({ install: false });
if (broker === undefined) throw new Error('no RabbitMQ on this machine');
const stops = [() => broker.stop()];
try {
  const simulator = makeSimulator(simulators);
  const [jobs, results] = [await startJobsStandIn(silentLogger), await startResultsStandIn(silentLogger)];
  stops.push(
    () => jobs.stop(),
    () => results.stop(),
  );
  const url = new URL(broker.url);
  url.searchParams.set('queue_prefix', `bench-${process.pid}.`);
  const queue = await openQueue(url.href, QUEUE_TOPOLOGY, silentLogger);
  stops.push(() => queue.close());
  const parts = { directory, url, queue, jobs, results, ...simulator };
  const none = await measure('none', parts);
  const bubblewrap = await measure('bubblewrap', parts);
  const canHaveHost = SLOTS === 1 && process.getuid() === 0;
  const container = canHaveHost ? await measure('container', parts) : undefined;
  report(await measureFloor(), none, bubblewrap, container);
} finally {
  for (const stop of stops.toReversed()) await stop();
  removeRunDirectory(directory);
  rmSync(simulators, { recursive: true });
}
