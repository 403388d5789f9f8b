// `pnpm bench [load …]`: the suite as its images run it under every load of docs/performance.md, and the bare minimum in
// the same run. Prints a line a load, then how it compares.
//   --quick          only count: statements and bytes allocated per operation, against bench/budgets.json; exit code 1 above;
//                    --accept writes new budgets; --report FILE gets {passed, failed}
//   --profile        leave a CPU profile and a flame graph per service and load in .tally/bench/profiles
//   --compare FILE   compare with an earlier result
//   --out FILE       where the result goes (.tally/bench/result.json)
//   --noisy          do not wait until nobody else uses the machine
//   --seconds N      length of a run (6); --repeats N: runs of a load (3)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { probeOptions } from './inspect/probes.mjs';
import { Profiler } from './inspect/profiler.mjs';
import { calibrate } from './load/calibrate.mjs';
import { Meter } from './load/meter.mjs';
import { blocking, logs, results } from './loads/bulk.mjs';
import { FLOORS_BEFORE } from './loads/floors.mjs';
import { idle, idleAfter, streams } from './loads/idle.mjs';
import { list } from './loads/list.mjs';
import { jobs, login, root, status } from './loads/requests.mjs';
import { runs, sustained } from './loads/runs.mjs';
import { submit, tasks } from './loads/updates.mjs';
import { runQuick } from './quick/run.mjs';
import { printComparison } from './report/comparison.mjs';
import { printLoad } from './report/load-line.mjs';
import { startBenchSuite } from './suite/start.mjs';

const repository = path.join(import.meta.dirname, '..');
/** In the order in which they run: those that need a runner before it is stopped. */
const WITH_RUNNER = { idle, root, status, login, runs, sustained };
const WITHOUT_RUNNER = { submit, tasks, jobs, list, logs, results, blocking, streams, 'idle-after': idleAfter };
const NAMES = [...Object.keys(WITH_RUNNER), ...Object.keys(WITHOUT_RUNNER)];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    accept: { type: 'boolean', default: false },
    report: { type: 'string' },
    profile: { type: 'boolean', default: false },
    noisy: { type: 'boolean', default: false },
    compare: { type: 'string', default: path.join(repository, 'bench/baselines/184268b.json') },
    out: { type: 'string', default: path.join(repository, '.tally/bench/result.json') },
    seconds: { type: 'string', default: '6' },
    repeats: { type: 'string', default: '3' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  say(`there is no load ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
  process.exit(2);
}
if (options.quick) {
  const counted = await runQuick({ say, accepts: options.accept });
  if (options.report !== undefined) fs.writeFileSync(options.report, JSON.stringify(counted));
  process.exit(counted.failed === 0 ? 0 : 1);
}
const chosen = new Set(positionals.length > 0 ? positionals : NAMES);

const profiles = path.join(repository, '.tally/bench/profiles');
const probes = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-probes-'));
const started = await startBenchSuite({ ...(options.profile && probeOptions(probes)), say });
const profiler = options.profile ? new Profiler(started.suite, probes, profiles) : undefined;
const settings = {
  seconds: Number(options.seconds),
  repeats: Number(options.repeats),
  attempts: options.noisy ? Number(options.repeats) : 2 * Number(options.repeats) + 1,
  waitsForQuiet: !options.noisy,
};
const result = {
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim(),
  startedAt: new Date().toISOString(),
  node: process.version,
  settings,
  loads: {},
};
const onLoad = (name, record) => {
  printLoad(say, name, record);
  fs.mkdirSync(path.dirname(options.out), { recursive: true });
  fs.writeFileSync(options.out, `${JSON.stringify(result, null, 1)}\n`);
};
/** One that fails does not take the others with it. */
async function runLoads(loads, bench) {
  for (const [name, load] of Object.entries(loads).filter(([name]) => chosen.has(name))) {
    try {
      if (!options.profile) await FLOORS_BEFORE[name]?.(bench); // profiles are of the suite, and cost time
      await load(bench);
    } catch (err) {
      say(`${name} failed: ${err.stack}`);
      process.exitCode = 1;
    }
  }
}

try {
  say(`  calibration ${calibrate()} ms`);
  const meter = new Meter({ ...started, profiler }, settings, onLoad);
  meter.loads = result.loads;
  const bench = { ...started, meter, chosen };
  await runLoads(WITH_RUNNER, bench);
  await started.suite.process('direct-runner-1').stop();
  await runLoads(WITHOUT_RUNNER, bench);
  printComparison(say, result, options.compare);
  if (options.profile) say(`\n  flame graphs: ${profiles}`);
} finally {
  await started.stop();
  fs.rmSync(probes, { recursive: true });
}
