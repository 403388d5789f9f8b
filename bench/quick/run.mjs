// `pnpm bench --quick`: what operations cost in counts, which do not depend on the machine: calls between services, SQL
// statements, and KiB that each service allocates. Compared with bench/budgets.json. A minute; the last step of `npm test`.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startBenchSuite } from '../suite/start.mjs';
import { budgetFor, compareCount, tenths, writeBudgets } from './budgets.mjs';
import { Counter } from './counter.mjs';
import { countOperations } from './operations.mjs';
import { probeOptions } from './probes.mjs';

const FILE = path.join(import.meta.dirname, '../budgets.json');
const SETTINGS = {
  // a line a call, of frequent ones too
  ...Object.fromEntries(['AUTH', 'JOBS', 'RESULTS', 'BATCH'].map((prefix) => [`${prefix}_LOG_LEVEL`, 'debug'])),
  // counts of logins do not depend on it, and it is most of the time that they take
  AUTH_BCRYPT_COST: '4',
};

function print(say, rows) {
  for (const { name, what, counted, most } of rows) {
    const verdict =
      counted > most ? '   OVER' : counted < most / 2 && most > 1 ? '   half of the budget: lower it' : '';
    say(`${name.padEnd(32)} ${what.padEnd(40)} ${String(tenths(counted)).padStart(8)} of ${most}${verdict}`);
  }
}

/**
 * Counts, compares and prints; resolves to `{passed, failed}`.
 * @param accepts - first writes budgets with a little room over what was counted
 */
export async function runQuick({ say, accepts }) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-probes-'));
  const { flags, env } = probeOptions(directory);
  const started = await startBenchSuite({ flags, env: { ...env, ...SETTINGS }, say });
  try {
    const counts = Object.entries(await countOperations(started, new Counter(started, directory)));
    const budgets = JSON.parse(fs.readFileSync(FILE, 'utf8'));
    if (accepts) {
      budgets.counts = Object.fromEntries(counts.map(([name, count]) => [name, budgetFor(name, count)]));
      fs.writeFileSync(FILE, writeBudgets(budgets));
    }
    const rows = counts.flatMap(([name, count]) => compareCount(name, count, budgets.counts[name]));
    print(say, rows);
    const failed = rows.filter(({ counted, most }) => counted > most).length;
    return { passed: rows.length - failed, failed };
  } finally {
    await started.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
