import { gzipSync } from 'node:zlib';
import pg from 'pg';

/*
 * What a copy of the release before 20261123100000 does to the database, statement by statement.
 */

const BLOCK_BYTES = 256 * 1024;

async function transact(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function returned(client: pg.Client, text: string, values: unknown[]): Promise<string> {
  const { rows } = await client.query<{ id: string }>(text, values);
  return rows[0]?.id ?? '';
}

async function insertBlocks(client: pg.Client, table: string, column: string, owner: string, bytes: Buffer) {
  for (let position = 0; position * BLOCK_BYTES < bytes.length; position++) {
    const content = bytes.subarray(position * BLOCK_BYTES, (position + 1) * BLOCK_BYTES);
    await client.query(`INSERT INTO ${table} (${column}, position, content) VALUES ($1, $2, $3)`, [
      owner,
      position,
      content,
    ]);
  }
}

export interface EarlierDocument {
  readonly role: 'submitted' | 'deck';
  readonly name: string;
  readonly text: string;
}

/** CreateInput. */
export function createEarlierInput(url: string, jobId: string, ownerId: bigint, documents: readonly EarlierDocument[]) {
  return transact(url, async (client) => {
    await client.query('INSERT INTO jobs (job_id, owner_id, input_kind) VALUES ($1, $2, $3)', [
      jobId,
      ownerId,
      'editor',
    ]);
    for (const [position, { role, name, text }] of documents.entries()) {
      const id = await returned(
        client,
        'INSERT INTO input_documents (job_id, position, role, name) VALUES ($1, $2, $3, $4) RETURNING document_id AS id',
        [jobId, position, role, name],
      );
      const gzip = gzipSync(text, { level: 0 }); // large stays large
      await insertBlocks(client, 'input_blocks', 'document_id', id, gzip);
      await client.query('UPDATE input_documents SET size_bytes = $2 WHERE document_id = $1', [id, gzip.length]);
    }
  });
}

export interface EarlierPage {
  readonly header: {
    readonly estimatorIndex: number;
    readonly estimatorName: string;
    readonly pageNumber: number;
    readonly pageName: string;
    readonly kind: string;
    readonly axes: readonly { readonly centers: readonly number[] }[];
  };
  readonly hash: Buffer;
  readonly bytes: Buffer;
}

/** PutTaskOutput. */
export function putEarlierOutput(url: string, jobId: string, taskId: number, pages: readonly EarlierPage[]) {
  return transact(url, async (client) => {
    const id = await returned(client, "SELECT nextval('task_outputs_output_id_seq') AS id", []);
    for (const { header, bytes } of pages) {
      const page = await returned(
        client,
        `INSERT INTO task_pages (output_id, estimator_index, page_number, size_bytes) VALUES ($1, $2, $3, $4)
         RETURNING page_id AS id`,
        [id, header.estimatorIndex, header.pageNumber, bytes.length],
      );
      await insertBlocks(client, 'task_page_blocks', 'page_id', page, bytes);
    }
    await client.query('SELECT 1 FROM jobs WHERE job_id = $1 FOR NO KEY UPDATE', [jobId]);
    await client.query('DELETE FROM task_outputs WHERE job_id = $1 AND task_id = $2', [jobId, taskId]);
    for (const { header, hash } of pages) {
      const { estimatorIndex, estimatorName, pageNumber, pageName, kind, axes } = header;
      const sizes = [...axes.map(({ centers }) => centers.length), ...(kind === 'list' ? [0] : [])];
      await client.query(
        `INSERT INTO job_page_headers (job_id, estimator_index, estimator_name, page_number, page_name, sizes, header_hash, header)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [jobId, estimatorIndex, estimatorName, pageNumber, pageName, sizes, hash, JSON.stringify(header)],
      );
    }
    await client.query(
      `INSERT INTO task_outputs (output_id, job_id, task_id, attempt_id, primaries, batches, engine, counters)
       VALUES ($1, $2, $3, 'a', $4, 10, 'earlier', '{}')`,
      [id, jobId, taskId, 100 * taskId],
    );
  });
}

/** AppendLog, of a log that exists or not: what it comes to when the text is new. */
export function appendEarlierLog(
  url: string,
  jobId: string,
  taskId: number,
  attemptId: string,
  offset: number,
  text: string,
) {
  return transact(url, async (client) => {
    const log = [jobId, taskId];
    await client.query(
      'INSERT INTO task_logs (job_id, task_id, attempt_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [...log, attemptId],
    );
    const { rows } = await client.query<{ total_bytes: string }>(
      'SELECT total_bytes FROM task_logs WHERE job_id = $1 AND task_id = $2 FOR UPDATE',
      log,
    );
    const total = Number(rows[0]?.total_bytes);
    const known = await client.query<{ received_bytes: string }>(
      'SELECT received_bytes FROM log_attempts WHERE job_id = $1 AND task_id = $2 AND attempt_id = $3',
      [...log, attemptId],
    );
    if (Number(known.rows[0]?.received_bytes ?? 0) !== offset) throw new Error('this text does not follow');
    await client.query(
      `INSERT INTO log_attempts (job_id, task_id, attempt_id, received_bytes) VALUES ($1, $2, $3, $4)
       ON CONFLICT (job_id, task_id, attempt_id) DO UPDATE SET received_bytes = excluded.received_bytes`,
      [...log, attemptId, offset + Buffer.byteLength(text)],
    );
    const joined = await client.query(
      `UPDATE log_chunks SET content = content || $3::bytea WHERE job_id = $1 AND task_id = $2
         AND length(content) + length($3::bytea) <= 16384
         AND start_byte = (SELECT max(start_byte) FROM log_chunks WHERE job_id = $1 AND task_id = $2)`,
      [...log, Buffer.from(text)],
    );
    if (joined.rowCount === 0) {
      await client.query('INSERT INTO log_chunks (job_id, task_id, start_byte, content) VALUES ($1, $2, $3, $4)', [
        ...log,
        total,
        Buffer.from(text),
      ]);
    }
    await client.query(
      'UPDATE task_logs SET attempt_id = $3, total_bytes = $4, is_at_line_start = $5 WHERE job_id = $1 AND task_id = $2',
      [...log, attemptId, total + Buffer.byteLength(text), text.endsWith('\n')],
    );
  });
}
