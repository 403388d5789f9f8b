import { z } from 'zod';
import type { StoredBytes } from '../metrics.js';
import type { Database } from './database.js';

/** Tables by what they hold, with their indexes and what PostgreSQL keeps beside them. */
const TABLES = {
  input: ['input_documents', 'input_blocks'],
  output: ['task_outputs', 'task_pages', 'task_page_blocks'],
  result: ['results', 'pages', 'page_blocks'],
  log: ['task_logs', 'log_attempts', 'log_chunks'],
} as const;

const row = z.object({ bytes: z.bigint() });

/** Disk taken by each kind of thing; asks the catalogue only. */
export async function readStoredBytes(db: Database): Promise<StoredBytes[]> {
  return Promise.all(
    Object.entries(TABLES).map(async ([kind, tables]) => {
      const rows: unknown = await db.$queryRaw`
        SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest(${[...tables]}::text[]) AS name`;
      return { kind, bytes: Number(row.array().length(1).parse(rows)[0]?.bytes) };
    }),
  );
}
