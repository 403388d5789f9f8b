// How a full database compares with an empty one.
import pg from 'pg';
import { rounded } from '../load/statistics.mjs';

/** A statement is listed that takes more than this, and so much longer than in the empty database. */
const SLOW_MS = 1;
const GROWTH = 2;
const COMMIT_MS = 4_000;
const CALLERS = [1, 16, 64];

/** Bytes of the write-ahead log so far. */
export async function walBytes(client) {
  const { rows } = await client.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes");
  return rows[0].bytes;
}

const sumOf = (object) => Object.values(object).reduce((sum, value) => sum + value, 0);

export function printTable(say, empty, full) {
  say('\n| Operation | p50, empty | full | Processor, empty | full | Ratio | PostgreSQL, full | Log written |');
  say('|---|---|---|---|---|---|---|---|');
  for (const [name, before] of Object.entries(empty.loads)) {
    const after = full.loads[name];
    const ratio = rounded(after.cpuMs / before.cpuMs);
    const cells = [`${before.p50Ms} ms`, `${after.p50Ms} ms`, `${before.cpuMs} ms`, `${after.cpuMs} ms`, ratio];
    const sql = `${after.cpuMsByService.postgresql} ms`;
    say(`| ${name} | ${cells.join(' | ')} | ${sql} | ${rounded(after.walKib)} KiB |`);
  }
  const cores = (phase) => rounded(sumOf(phase.coresByItself));
  say(`| by itself, metrics each second | | | ${cores(empty)} cores | ${cores(full)} cores | | | |`);
  for (const [name, { pss }] of Object.entries(full.memory)) {
    say(`| memory of ${name} | | | ${empty.memory[name]?.pss} MiB | ${pss} MiB | | | |`);
  }
}

/** Mean duration of each statement by service and text. */
const meansOf = ({ ran }) =>
  new Map(ran.map((row) => [`${row.service} ${row.query}`, { ...row, mean: row.ms / row.calls }]));

export function printGrowth(say, empty, full) {
  const before = meansOf(empty);
  const grown = [...meansOf(full)]
    .map(([key, row]) => ({ ...row, earlier: before.get(key)?.mean }))
    .filter(({ mean, earlier }) => mean > SLOW_MS && (earlier === undefined || mean > GROWTH * earlier))
    .sort((a, b) => b.mean - a.mean);
  say(
    `\nStatements that became slower (mean over ${SLOW_MS} ms and more than ${GROWTH} times the empty one): ${grown.length}`,
  );
  for (const { service, query, calls, mean, earlier } of grown) {
    say(
      `${service} ${rounded(mean)} ms (${rounded(earlier ?? Number.NaN) ?? '–'}), ${calls} times: ${query.replaceAll(/\s+/g, ' ').slice(0, 220)}`,
    );
  }
}

/** What one PostgreSQL commits: the change of one row that nobody else changes, one after the other on each connection. */
export async function commitRates(url) {
  const rates = [];
  for (const callers of CALLERS) {
    const clients = Array.from({ length: callers }, () => new pg.Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    const { rows } = await clients[0].query('SELECT id FROM tasks ORDER BY id DESC LIMIT $1', [callers]);
    const until = performance.now() + COMMIT_MS;
    let commits = 0;
    const work = async (client, index) => {
      const statement = {
        name: 'change',
        text: 'UPDATE tasks SET simulated_primaries = simulated_primaries + 1 WHERE id = $1',
        values: [rows[index].id],
      };
      for (; performance.now() < until; commits++) await client.query(statement);
    };
    await Promise.all(clients.map(work));
    rates.push({ callers, rate: rounded((1000 * commits) / COMMIT_MS) });
    await Promise.all(clients.map((client) => client.end()));
  }
  return rates;
}
