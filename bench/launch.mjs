// What a task costs in the runner that is not the simulation: tasks whose simulator is a shell that copies a finished
// output, run by a real runner through a real broker, with stand-ins of jobs and results in this process. Beside it the
// floor: the start of a program that does nothing, by a Node process that does nothing else.
// Processor time is what the kernel counts for the runner alone, without simulators, broker and stand-ins.
// Usage: node bench/launch.mjs [--tasks 300] [--jobs 1] [--slots 2] [--profile <folder>]. Needs a build (pnpm build).
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { messages, QUEUE_TOPOLOGY, TASK_QUEUE } from '../packages/contracts/dist/src/index.js';
import { openQueue, silentLogger } from '../packages/service-kit/dist/src/index.js';
import { findDriver, readProject } from '../packages/simulators/dist/src/index.js';
import {
  createRunDirectory,
  removeRunDirectory,
  ServiceProcess,
  startRabbitmq,
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
  const folder = path.join(directory, 'finished');
  mkdirSync(folder);
  const share = driver.apportion(files, { primaries: PRIMARIES, firstHistory: 0, seed: '42' });
  for (const [name, content] of Object.entries(share)) writeFileSync(path.join(folder, name), content);
  const standIn = path.join(root, 'packages/testkit/dist/src/stand-ins/sim-a.js');
  const { status, stderr } = spawnSync(process.execPath, [standIn, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const executable = path.join(directory, 'no-op-simulator');
  writeFileSync(executable, `#!/bin/sh\necho "Version: no-op"\nexec cp ${folder}/*.bdo "$1"\n`);
  chmodSync(executable, 0o755);
  return { files, executable };
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

const directory = createRunDirectory('bench');
const broker = await startRabbitmq({ install: false });
if (broker === undefined) throw new Error('no RabbitMQ on this machine');
const stops = [() => broker.stop()];
try {
  const { files, executable } = makeSimulator(directory);
  const [jobs, results] = [await startJobsStandIn(silentLogger), await startResultsStandIn(silentLogger)];
  stops.push(
    () => jobs.stop(),
    () => results.stop(),
  );
  const url = new URL(broker.url);
  url.searchParams.set('queue_prefix', `bench-${process.pid}.`);
  const queue = await openQueue(url.href, QUEUE_TOPOLOGY, silentLogger);
  stops.push(() => queue.close());
  const profiling =
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile)}`];
  const main = path.join(workspaceRoot(), 'services/direct-runner/dist/src/main.js');
  const runner = new ServiceProcess({
    service: 'direct-runner',
    name: 'direct-runner',
    directory,
    command: () => [process.execPath, '--enable-source-maps', ...profiling, main],
    env: {
      RUNNER_CALLER_TOKEN: testCallerToken('direct-runner'),
      RUNNER_QUEUE_URL: url.href,
      RUNNER_JOBS_ADDRESS: jobs.address,
      RUNNER_RESULTS_ADDRESS: results.address,
      RUNNER_LISTEN_ADDRESS: '127.0.0.1:0',
      RUNNER_WORK_DIR: mkdtempSync(path.join(directory, 'work-')),
      RUNNER_SIM_A_EXECUTABLE: executable,
      RUNNER_SIM_A_VERSION: '1.0.0',
      RUNNER_SLOTS: String(SLOTS),
    },
    onCrash: say,
  });
  await runner.start();
  stops.push(() => runner.close());

  const jobIds = Array.from({ length: JOBS }, (_, index) => `bench-${index}`);
  for (const jobId of [...jobIds, 'warm-up']) results.addDeck(jobId, files);
  await sleep(SETTLE_MS);
  const idle = processorTime(runner.pid);
  const idleMemory = memory(runner.pid);
  await sleep(IDLE_SECONDS * 1000);
  const idleMs = processorTime(runner.pid).own - idle.own;

  await runTasks({ jobs, queue }, WARM_UP_TASKS, ['warm-up']);
  const before = processorTime(runner.pid);
  const wallMs = await runTasks({ jobs, queue }, TASKS, jobIds);
  const after = processorTime(runner.pid);
  const busyMemory = memory(runner.pid);

  const floor = await measureFloor();
  say(`${TASKS} no-op tasks of ${JOBS} job(s), ${SLOTS} slots; processor time, then wall time by task`);
  row('floor: spawn of /bin/true', ms(floor.cpuMs), ms(floor.wallMs));
  row('a task in the runner', ms((after.own - before.own) / TASKS), ms(wallMs / TASKS));
  row("a task's simulator and its start", ms((after.children - before.children) / TASKS));
  row('the idle runner', `${(idleMs / IDLE_SECONDS / 10).toFixed(2)} % of a core`);
  row('memory idle, after the tasks (PSS)', `${idleMemory.pss.toFixed(0)} MB`, `${busyMemory.pss.toFixed(0)} MB`);
  row('memory idle, after the tasks (RSS)', `${idleMemory.rss.toFixed(0)} MB`, `${busyMemory.rss.toFixed(0)} MB`);
} finally {
  for (const stop of stops.toReversed()) await stop();
  removeRunDirectory(directory);
}
