// Scale: every operation in an empty database, then with a long history and many tasks in flight, in one run. What is not flat
// is a missing index or a count: the statements that have become slower are listed. docs/scale.md says what came out.
// node bench/scale.mjs (`pnpm bench:scale`), after a build; 5 min with the numbers that are default.
//   --jobs N    jobs in history (1000000); --tasks N: tasks in flight (100000); a tenth of both is the measured user's
//   --out FILE  where the result goes (.tally/bench/scale.json)
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../packages/testkit/dist/src/index.js';
import { Meter } from './load/meter.mjs';
import { fill } from './scale/fill.mjs';
import { operationsOf, readRunner, waitAndScrape } from './scale/operations.mjs';
import { commitRates, printGrowth, printTable, walBytes } from './scale/report.mjs';
import { startBenchSuite } from './suite/start.mjs';

const repository = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000000' },
    tasks: { type: 'string', default: '100000' },
    out: { type: 'string', default: path.join(repository, '.tally/bench/scale.json') },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const metricsPort = await freePort();
const ENVIRONMENT = { JOBS_METRICS_ADDRESS: `127.0.0.1:${metricsPort}` };
/** The slowest loop, which cleans up, has run in it. */
const BY_ITSELF_MS = 35_000;
const QUIET = { seconds: 3, repeats: 1, attempts: 1, waitsForQuiet: false };

const started = await startBenchSuite({ env: ENVIRONMENT, say });
const { api, suite, postgres, statements, processes } = started;
const client = new pg.Client({ connectionString: postgres.url('tally_jobs') });
try {
  const runner = readRunner(suite);
  await suite.process('direct-runner-1').stop();
  await client.connect();

  const measure = async (name) => {
    const meter = new Meter(processes, QUIET, (load, { p50Ms, cpuMs }) =>
      say(`  ${name}: ${load.padEnd(28)} p50 ${p50Ms} ms, processor ${cpuMs} ms`),
    );
    const { operations, end } = await operationsOf({ api, postgres, runner });
    const before = await statements.now();
    for (const [operation, load] of Object.entries(operations)) {
      const wal = await walBytes(client);
      const record = await meter.each(operation, load);
      record.walKib = ((await walBytes(client)) - wal) / 1024 / record.count;
    }
    await end();
    const idle = processes.now();
    await waitAndScrape(`http://127.0.0.1:${metricsPort}/metrics`, BY_ITSELF_MS);
    const { byName, wall } = processes.since(idle);
    return {
      loads: meter.loads,
      coresByItself: Object.fromEntries(Object.entries(byName).map(([who, seconds]) => [who, seconds / wall])),
      memory: processes.memory(),
      ran: (await statements.since(before)).statements,
    };
  };

  await measure('warm');
  const empty = await measure('empty');
  const [{ id: ownerId }] = (await client.query('SELECT owner_id AS id FROM jobs ORDER BY id LIMIT 1')).rows; // the only user so far
  const startedAt = performance.now();
  await fill(postgres, { ownerId, jobCount: Number(options.jobs), taskCount: Number(options.tasks), say });
  say(`  filled in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  await measure('first');
  const full = await measure('full');
  const commits = await commitRates(postgres.url('tally_jobs'));
  fs.mkdirSync(path.dirname(options.out), { recursive: true });
  fs.writeFileSync(options.out, JSON.stringify({ options, empty, full, commits }, null, 1));
  printTable(say, empty, full);
  printGrowth(say, empty, full);
  say(`\nCommits of one small change: ${commits.map(({ callers, rate }) => `${rate}/s from ${callers}`).join(', ')}`);
  runner.close();
} catch (err) {
  process.stderr.write(`${err.stack}\n`);
  process.exitCode = 1;
} finally {
  await client.end();
  await started.stop();
}
process.exit(); // connections of a server that is gone
