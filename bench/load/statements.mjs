// SQL statements that PostgreSQL has run, counted by itself (pg_stat_statements, manual F.32): every call of every
// statement, BEGIN and COMMIT too, by database.
import pg from 'pg';

/** Settings that the server has to be started with. */
export const STATEMENT_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
  // what clients send; not what triggers and functions run
  'pg_stat_statements.track': 'top',
};

const READ = `SELECT d.datname AS database, s.query, sum(s.calls)::float8 AS calls, sum(s.total_exec_time)::float8 AS ms
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = ANY($1) GROUP BY 1, 2`;

export class StatementCounter {
  #client;
  #names;

  /** @param names - of services, by database */
  constructor(names) {
    this.#names = names;
  }

  /** @param url - of a database that is not counted, by a superuser */
  async open(url) {
    this.#client = new pg.Client({ connectionString: url });
    await this.#client.connect();
    await this.#client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  }

  close() {
    return this.#client.end();
  }

  /** A moment; {@link since} tells what ran after it. */
  async now() {
    const { rows } = await this.#client.query({ name: 'read', text: READ, values: [[...this.#names.keys()]] });
    return new Map(rows.map((row) => [`${row.database} ${row.query}`, row]));
  }

  /** `{byService: {jobs: 3, …}, statements: [{service, query, calls, ms}]}`, those of most calls first. */
  async since(before) {
    const statements = [];
    for (const [key, row] of await this.now()) {
      const earlier = before.get(key) ?? { calls: 0, ms: 0 };
      const calls = row.calls - earlier.calls;
      const service = this.#names.get(row.database);
      if (calls > 0) statements.push({ service, query: row.query, calls, ms: row.ms - earlier.ms });
    }
    const byService = Object.fromEntries([...this.#names.values()].map((service) => [service, 0]));
    for (const { service, calls } of statements) byService[service] += calls;
    return { byService, statements: statements.sort((a, b) => b.calls - a.calls) };
  }
}
