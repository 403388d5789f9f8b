import { type Database, sql } from '@tally/service-kit';

/** Rows of these tables that `work` reads by a database of one connection, by PostgreSQL's count (`pg_stat_user_tables`). */
export async function countRowsRead(
  database: Pick<Database, 'row'>,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const read = async () => {
    await database.row(sql`SELECT pg_stat_force_next_flush()::text`);
    const row = await database.row(sql<{ readonly count: number }>`
      SELECT sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int AS count FROM pg_stat_user_tables
      WHERE relname = ANY(${tables}::text[])`);
    return row?.count ?? Number.NaN;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}
