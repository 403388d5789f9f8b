// `npm run demo`: the whole suite on this machine, one real job through it, and its depth-dose curve.
//   --once      end after the job; the exit code tells whether it went well
//   --install   let Debian's package manager install RabbitMQ and bubblewrap if there is none (as root)
//   --port N    gateway on this port (a free one unless given)
//   --project F another project of the editor
//   --tasks N   parallel tasks (8)
//   --geant4    the same job on a real Geant4 from PyPI too, and both curves with their difference
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { plot, progressBar } from '../packages/cli/dist/src/index.js';
import { formatReading, TallyClient } from '../packages/client/dist/src/index.js';
import { createRunDirectory, provideGeant4, removeRunDirectory } from '../packages/testkit/dist/src/index.js';
import { ENGINE_SIM_TYPE, GAMMA, geant4Environment, waitForGeant4 } from './demo/geant4.mjs';
import { startServers } from './demo/servers.mjs';

const root = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    install: { type: 'boolean', default: process.env.CI === 'true' },
    port: { type: 'string', default: '0' },
    project: { type: 'string', default: path.join(root, 'examples/proton-150mev-water.json') },
    tasks: { type: 'string', default: '8' },
    geant4: { type: 'boolean', default: false },
  },
});
const say = (line = '') => process.stdout.write(`${line}\n`);
const CREDENTIALS = { username: 'demo', password: 'demo-password' };
const TERMINAL = new Set(['COMPLETED', 'FAILED', 'CANCELED']);

/** Follows a job until it is terminal; draws a bar that a terminal overwrites and a log does not repeat. */
async function follow(client, jobId) {
  const isTerminal = process.stdout.isTTY;
  let lastPercent = -1;
  for (;;) {
    const { job_state: state, job_tasks_status: tasks } = await client.request('GET', '/jobs/direct', {
      query: { job_id: jobId },
    });
    const done = tasks.reduce((sum, task) => sum + task.simulated_primaries, 0);
    const total = tasks.reduce((sum, task) => sum + task.requested_primaries, 0);
    const finished = tasks.filter((task) => task.task_state === 'COMPLETED').length;
    const text = `${done} / ${total} primaries, ${finished}/${tasks.length} tasks, ${state}`;
    const percent = Math.floor((100 * done) / total);
    if (isTerminal) process.stdout.write(`\r${progressBar(done / total, text)}\u001b[K`);
    else if (percent >= lastPercent + 20 || TERMINAL.has(state)) {
      lastPercent = percent;
      say(progressBar(done / total, text));
    }
    if (TERMINAL.has(state)) {
      if (isTerminal) say();
      return state;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** The first one-dimensional page of a dose, over depth. */
async function findCurve(client, jobId) {
  const results = await client.request('GET', '/results', { query: { job_id: jobId } });
  for (const estimator of results.estimators) {
    for (const page of estimator.pages) {
      const isDepth = page.data.dimensions.length > 0 && page.data.axes.at(-1).name.toLowerCase().startsWith('z');
      const bins = page.data.dimensions.map((axis) => axis.length);
      const isLine = bins.slice(0, -1).every((size) => size === 1);
      if (isDepth && isLine && /dose/i.test(page.name)) return { results, estimator, page };
    }
  }
  throw new Error('the project has no depth-dose detector');
}

function show({ results, estimator, page }) {
  const depths = page.data.dimensions.at(-1);
  const { values, errors, unit } = page.data;
  say();
  say(`  ${estimator.name}, ${page.name}: ${results.primaries} primaries, computed by ${results.engine}`);
  say();
  say(plot({ x: depths, values, errors, xLabel: 'depth / cm', yLabel: unit }));
  say();
  for (const one of page.readings ?? [])
    if (one.name !== 'mean_error') say(`  ${one.name.padEnd(16)} ${formatReading(one)}`);
}

function showWays(url, jobId, projectFile) {
  const project = path.relative(process.cwd(), projectFile);
  say(`
  Look at it: ${url}/console/jobs/${jobId}/results
  (user ${CREDENTIALS.username}, password ${CREDENTIALS.password}; the console shows all jobs, takes new ones, and has more curves and a plane)

  Or by the command line:

    alias tally="node ${path.relative(process.cwd(), path.join(root, 'packages/cli/dist/src/bin/tally.js'))}"
    tally login --url ${url} -u ${CREDENTIALS.username}
    tally submit ${project} --set beam.energy=120 --tasks 4 --watch
    tally plot ${jobId}

  What they use: ${url}/docs; by curl: examples/curl/journey.sh
`);
}

async function runOne(client, simType, project) {
  const startedAt = performance.now();
  const { job_id: jobId } = await client.request('POST', '/jobs/direct', {
    body: {
      sim_type: simType,
      input_type: 'editor',
      ntasks: Number(options.tasks),
      sim_data: project,
      // what one of two programs cannot score is not compared
      ...(options.geant4 ? { on_unsupported: 'omit' } : {}),
    },
  });
  say(`\n  ${project.project?.title ?? 'Untitled'}: job ${jobId}\n`);
  const state = await follow(client, jobId);
  say(`  ${state} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  if (state === 'COMPLETED') show(await findCurve(client, jobId));
  return { jobId, isCompleted: state === 'COMPLETED' };
}

/** How the curve of another job differs: the other less this one. */
async function showDifference(client, jobId, withJobId) {
  const query = { job_id: jobId, with: withJobId, ...GAMMA };
  const { estimators } = await client.request('GET', '/results/compare', { query });
  const differenceIn = (page) => page.reading_differences?.find(({ name }) => name === 'R80');
  const page = estimators.flatMap(({ pages }) => pages).find((one) => differenceIn(one) !== undefined);
  if (page === undefined) return say('\n  The jobs have no depth dose in common.');
  say(`\n  R80, Geant4 less engine: ${formatReading(differenceIn(page))}`);
  if (page.gamma !== undefined)
    say(`  gamma 2 %/2 mm above 10 %: ${(100 * page.gamma.pass_rate).toFixed(1)} % of ${page.gamma.bins} bins pass`);
}

async function runJob(url) {
  const client = new TallyClient(url);
  await client.request('PUT', '/auth/register', { body: CREDENTIALS });
  await client.request('POST', '/auth/login', { body: CREDENTIALS });
  const project = JSON.parse(fs.readFileSync(options.project, 'utf8'));
  const { jobId, isCompleted } = await runOne(client, options.geant4 ? ENGINE_SIM_TYPE : 'simA', project);
  if (options.geant4 && isCompleted) {
    await waitForGeant4(client);
    const real = await runOne(client, 'simC', project);
    if (!real.isCompleted) return false;
    await showDifference(client, jobId, real.jobId);
  }
  showWays(url, jobId, options.project);
  return isCompleted;
}

const directory = createRunDirectory('demo');
let servers;
let exitCode = 1;
let hasFailed = false;
const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve(signal));
});
try {
  const geant4 = options.geant4 ? await provideGeant4((line) => say(`  ${line}`)) : undefined;
  if (options.geant4 && geant4 === undefined)
    throw new Error('there is no Geant4; without --geant4 the demo needs none');
  const env = geant4 && geant4Environment(geant4);
  servers = await startServers({ directory, install: options.install, port: Number(options.port), say, env });
  const job = runJob(servers.suite.gatewayUrl);
  const outcome = await Promise.race([job, stopped]);
  if (outcome === true) exitCode = 0;
  if (typeof outcome === 'boolean' && !options.once) {
    say('  Ctrl-C stops everything.');
    await stopped;
  }
  job.catch(() => {}); // a job cut short by Ctrl-C is no news
} catch (err) {
  hasFailed = true;
  say(`\n  The demo failed: ${err instanceof Error ? err.message : String(err)}\n  Logs: ${directory}`);
}
say('\n  stopping');
await servers?.stop();
if (!hasFailed) removeRunDirectory(directory);
process.exit(exitCode);
