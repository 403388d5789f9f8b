import { z } from 'zod';
import { fail } from '../domain/errors.js';
import { type EstimatorPageHeader, sizesOf } from '../domain/page.js';
import type { FinalPageSummary, ResultStore } from '../domain/ports.js';
import type { ThingEvent } from '../domain/upload.js';
import { BlockWriter, readBlocks } from './block-store.js';
import { type Database, type DatabaseClient, inTransaction, type UploadTimes } from './database.js';
import { lockJob } from './lock-job.js';
import { isSelected, PAGE_COLUMNS, pageRow, readPageRow } from './page-row.js';
import { readWarningsColumn, toWarningsColumn } from './warnings-column.js';

/** Writes the pages of results whose own row does not exist yet. */
async function writePages(
  tx: Database,
  resultId: bigint,
  pages: AsyncIterable<ThingEvent<EstimatorPageHeader, FinalPageSummary>>,
): Promise<void> {
  let current: { pageId: bigint; writer: BlockWriter } | undefined;
  for await (const event of pages) {
    if (event.kind === 'start') {
      const { estimatorIndex, estimatorName, fileName, pageNumber, pageName } = event.thing;
      const data = { resultId, estimatorIndex, estimatorName, fileName, pageNumber, pageName };
      const { pageId } = await tx.page.create({
        data: { ...data, sizes: sizesOf(event.thing) },
        select: { pageId: true },
      });
      current = { pageId, writer: new BlockWriter(tx, 'page_blocks', pageId) };
    } else if (event.kind === 'bytes') {
      await current?.writer.write(event.bytes);
    } else if (current !== undefined) {
      const { pageId, writer } = current;
      const data = { sizeBytes: await writer.end(), nonFiniteCount: event.summary.nonFiniteCount };
      await tx.page.update({ where: { pageId }, data, select: { pageId: true } });
    }
  }
}

const idRows = z.array(z.object({ id: z.bigint() }));
const pageRows = z.array(pageRow.extend({ page_id: z.bigint(), size_bytes: z.bigint(), non_finite_count: z.number() }));

/** Final results in PostgreSQL. */
export function createResultStore(db: DatabaseClient, times: UploadTimes): ResultStore {
  return {
    put: ({ jobId, primaries, taskCount, isPartial, engine, warnings }, pages, version) =>
      inTransaction(db, times.uploadTimeoutMs, async (tx) => {
        const job = await tx.job.findUnique({ where: { jobId }, select: { jobId: true } });
        if (job === null) throw fail('JOB_NOT_FOUND');
        const [row] = idRows.parse(await tx.$queryRaw`SELECT nextval('results_result_id_seq') AS id`);
        if (row === undefined) throw new Error('a sequence gave no number');
        await writePages(tx, row.id, pages);
        await lockJob(tx, jobId);
        await tx.$executeRaw`DELETE FROM results WHERE job_id = ${jobId}`;
        const said = { primaries, taskCount, isPartial, engine, warnings: toWarningsColumn(warnings) };
        const data = { resultId: row.id, jobId, ...said, version: version() };
        await tx.result.create({ data, select: { resultId: true } });
      }),
    async find(jobId) {
      const row = await db.result.findUnique({
        where: { jobId },
        select: {
          resultId: true,
          primaries: true,
          taskCount: true,
          isPartial: true,
          engine: true,
          warnings: true,
          version: true,
        },
      });
      if (row === null) return undefined;
      const { resultId, primaries, warnings, ...rest } = row;
      const read = { primaries: Number(primaries), warnings: readWarningsColumn(warnings) };
      return { resultId, results: { ...rest, ...read, jobId } };
    },
    async listPages(resultId, selection) {
      const rows = pageRows.parse(
        await db.$queryRaw`
          SELECT page_id, size_bytes, ${PAGE_COLUMNS}, non_finite_count FROM pages
          WHERE result_id = ${resultId} AND ${isSelected(selection)}
          ORDER BY estimator_index, page_number`,
      );
      return rows.map((row) => ({
        summary: { ...readPageRow(row), nonFiniteCount: row.non_finite_count },
        gzip: readBlocks(db, 'page_blocks', row.page_id, Number(row.size_bytes)),
      }));
    },
  };
}
