import { gzipSync } from 'node:zlib';
import { runStatement } from '@tally/testkit';

/** Results as an earlier release stored them: the text of a page as a gzip member in blocks. */
export async function insertGzippedResults(databaseUrl: string, jobId: string, text: string): Promise<void> {
  const member = gzipSync(text);
  const half = Math.floor(member.length / 2);
  const [result] = await runStatement<{ result_id: string }>(
    databaseUrl,
    `INSERT INTO results (job_id, primaries, task_count, is_partial, engine, version)
     VALUES ($1, 7, 1, false, 'earlier 0.1', 'v') RETURNING result_id`,
    [jobId],
  );
  const [page] = await runStatement<{ page_id: string }>(
    databaseUrl,
    `INSERT INTO pages (result_id, estimator_index, estimator_name, file_name, page_number, page_name, sizes, size_bytes)
     VALUES ($1, 0, 'E', 'e', 1, 'Dose', '{2}', $2) RETURNING page_id`,
    [result?.result_id, member.length],
  );
  for (const [position, content] of [member.subarray(0, half), member.subarray(half)].entries()) {
    await runStatement(databaseUrl, 'INSERT INTO page_blocks (page_id, position, content) VALUES ($1, $2, $3)', [
      page?.page_id,
      position,
      content,
    ]);
  }
}
