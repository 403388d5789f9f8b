// `pnpm bench [load …]`: the suite as its images run it under each load of docs/performance.md, and the floor under the same load just
// before it. Prints a line a load, then one table.
//   --quick          only count: calls, statements and bytes allocated per operation, against bench/budgets.json; exit code 1 above;
//                    --accept writes new budgets; --report FILE gets {passed, failed}
//   --write          put the table into docs/performance.md; of all loads
//   --noisy          do not wait until nobody else uses the machine
//   --seconds N      length of a run (6); --repeats N: runs of a load (3)
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startFloor } from './floor/start.mjs';
import { Meter } from './load/meter.mjs';
import { logs, results } from './loads/bodies.mjs';
import { idle } from './loads/idle.mjs';
import { firstTask, noOpTasks, submit } from './loads/jobs.mjs';
import { list, poll, update } from './loads/requests.mjs';
import { restart } from './loads/restart.mjs';
import { runQuick } from './quick/run.mjs';
import { printLoad } from './report/load-line.mjs';
import { tableOf, withTable } from './report/table.mjs';
import { startBenchSuite } from './suite/start.mjs';

const BUDGETS = path.join(import.meta.dirname, 'budgets.json');
const DOCUMENT = path.join(import.meta.dirname, '../docs/performance.md');
const WITH_RUNNER = { idle, 'first-task': firstTask, 'no-op-tasks': noOpTasks };
const WITHOUT_RUNNER = { submit, poll, list, update, results, logs, restart };
const NAMES = [...Object.keys(WITH_RUNNER), ...Object.keys(WITHOUT_RUNNER)];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    accept: { type: 'boolean', default: false },
    report: { type: 'string' },
    write: { type: 'boolean', default: false },
    noisy: { type: 'boolean', default: false },
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
if (options.write && positionals.length > 0) {
  say('--write takes a table of all loads: name none');
  process.exit(2);
}
if (options.quick) {
  const counted = await runQuick({ say, accepts: options.accept });
  if (options.report !== undefined) fs.writeFileSync(options.report, JSON.stringify(counted));
  process.exit(counted.failed === 0 ? 0 : 1);
}
const chosen = new Set(positionals.length > 0 ? positionals : NAMES);
const settings = {
  seconds: Number(options.seconds),
  repeats: Number(options.repeats),
  attempts: options.noisy ? Number(options.repeats) : 2 * Number(options.repeats) + 1,
  waitsForQuiet: !options.noisy,
};

/** The same load of both, one just after the other. A load that fails does not take the others with it. */
async function runLoads(loads, sides) {
  for (const [name, load] of Object.entries(loads).filter(([name]) => chosen.has(name))) {
    for (const { target, meter } of sides) {
      try {
        await load(target, meter);
      } catch (err) {
        say(`${name} failed: ${err.stack}`);
        process.exitCode = 1;
      }
    }
  }
}

const suite = await startBenchSuite({ say });
try {
  const floor = await startFloor(suite);
  const sideOf = (target, prefix) => ({
    target,
    meter: new Meter(target.processes, settings, (name, record) => printLoad(say, `${prefix}${name}`, record)),
  });
  const sides = [sideOf(floor, 'floor: '), sideOf(suite, '')];
  await runLoads(WITH_RUNNER, floor.hasRunner ? sides : sides.slice(1));
  await suite.stopRunner();
  await floor.restart();
  await runLoads(WITHOUT_RUNNER, sides);
  await floor.stop();
  const { loads: budgets } = JSON.parse(fs.readFileSync(BUDGETS, 'utf8'));
  const lines = tableOf(sides[1].meter.loads, sides[0].meter.loads, budgets);
  say('');
  for (const line of lines) say(line);
  if (options.write) fs.writeFileSync(DOCUMENT, withTable(fs.readFileSync(DOCUMENT, 'utf8'), lines));
} finally {
  await suite.stop();
}
