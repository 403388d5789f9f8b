import type { StoredBytes } from '../metrics.js';
import type { Database } from './database.js';
import { sumRelationBytes } from './statements/blobs.js';

/** Tables by what they hold, with their indexes and what PostgreSQL keeps beside them; blocks are of any kind. */
const TABLES = {
  input: ['jobs'],
  output: ['page_sets', 'job_page_headers', 'task_outputs'],
  result: ['final_results'],
  log: ['task_logs', 'log_chunks'],
  blocks: ['blobs', 'blocks', 'incompressible_blocks'],
} as const;

/** Disk taken by each kind of thing; asks the catalogue only. */
export async function readStoredBytes(db: Database): Promise<StoredBytes[]> {
  return Promise.all(
    Object.entries(TABLES).map(async ([kind, tables]) => {
      const row = await db.row(sumRelationBytes(tables));
      return { kind, bytes: Number(row?.bytes ?? 0) };
    }),
  );
}
