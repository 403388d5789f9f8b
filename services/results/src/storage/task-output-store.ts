import { createHash } from 'node:crypto';
import { BYTES_PER_NUMBER, pageSizeBytes, parsePageHeader } from '@tally/merge';
import { z } from 'zod';
import { fail } from '../domain/errors.js';
import { binsOf, describePage, type EstimatorPageHeader, type PageKey, sizesOf } from '../domain/page.js';
import { agreePages } from '../domain/page-agreement.js';
import type { PageLimits } from '../domain/page-rules.js';
import type { StoredTaskOutput, TaskOutputStore, TaskPageBytes } from '../domain/ports.js';
import type { TaskOutputHeader } from '../domain/task-output.js';
import type { ThingEvent } from '../domain/upload.js';
import { Prisma } from '../generated/prisma/client.js';
import { BlockWriter, countSmall, readBlocks, readSmallBlocks } from './block-store.js';
import { type Database, type DatabaseClient, inTransaction, type UploadTimes } from './database.js';
import { lockJob } from './lock-job.js';
import { isSelected, PAGE_COLUMNS, pageRow, readPageRow } from './page-row.js';
import { readWarningsColumn, toWarningsColumn } from './warnings-column.js';

/** Writes the pages of an output whose own row does not exist yet; returns what they are. */
async function writePages(
  tx: Database,
  outputId: bigint,
  pages: AsyncIterable<ThingEvent<EstimatorPageHeader>>,
): Promise<EstimatorPageHeader[]> {
  const written: EstimatorPageHeader[] = [];
  let writer: BlockWriter | undefined;
  for await (const event of pages) {
    if (event.kind === 'start') {
      const { estimatorIndex, pageNumber, kind } = event.thing;
      const sizeBytes = pageSizeBytes(kind, binsOf(event.thing));
      const data = { outputId, estimatorIndex, pageNumber, sizeBytes };
      const { pageId } = await tx.taskPage.create({ data, select: { pageId: true } });
      writer = new BlockWriter(tx, 'task_page_blocks', pageId);
      written.push(event.thing);
    } else if (event.kind === 'bytes') {
      await writer?.write(event.bytes);
    } else {
      await writer?.end();
    }
  }
  return written;
}

/** SHA-256 over everything that a page is, hex; in the number of its records every task's list is another. */
function hashHeader(header: EstimatorPageHeader): string {
  const { estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes } = header;
  const content = [estimatorIndex, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Puts the output in place of the task's earlier one, if its pages are the same pages as the other tasks'. */
async function publishOutput(
  tx: Database,
  outputId: bigint,
  output: TaskOutputHeader,
  pages: readonly EstimatorPageHeader[],
): Promise<void> {
  const { jobId, taskId, attemptId, primaries, batches, engine, counters, warnings } = output;
  await lockJob(tx, jobId);
  const replaced = await tx.$executeRaw`DELETE FROM task_outputs WHERE job_id = ${jobId} AND task_id = ${taskId}`;
  if (replaced > 0) {
    // what only the replaced output said of a page binds nobody
    await tx.$executeRaw`
      DELETE FROM job_page_headers AS header WHERE job_id = ${jobId} AND NOT EXISTS (
        SELECT 1 FROM task_outputs JOIN task_pages AS page USING (output_id)
        WHERE job_id = ${jobId} AND page.estimator_index = header.estimator_index
          AND page.page_number = header.page_number)`;
  }
  const rows = await tx.jobPageHeader.findMany({
    where: { jobId },
    select: { estimatorIndex: true, pageNumber: true, estimatorName: true, headerHash: true },
  });
  const known = rows.map((row) => ({ ...row, headerHash: Buffer.from(row.headerHash).toString('hex') }));
  const fresh = agreePages(
    known,
    pages.map((header) => ({ ...header, headerHash: hashHeader(header) })),
  );
  for (const { headerHash, recordCount: _, ...header } of fresh) {
    const { estimatorIndex, pageNumber, estimatorName, pageName } = header;
    await tx.$executeRaw`
      INSERT INTO job_page_headers (job_id, ${PAGE_COLUMNS}, header_hash, header)
      VALUES (${jobId}, ${estimatorIndex}, ${estimatorName}, ${pageNumber}, ${pageName}, ${sizesOf(header)}::int[],
        decode(${headerHash}, 'hex'), ${JSON.stringify(header)}::json)`;
  }
  const said = { primaries, batches, engine, counters: { ...counters }, warnings: toWarningsColumn(warnings) };
  await tx.taskOutput.create({ data: { outputId, jobId, taskId, attemptId, ...said }, select: { outputId: true } });
}

/** @throws ServiceError UPLOAD_TOO_LARGE when a list, of all tasks together, is longer than a page may be */
async function checkLists(
  tx: Database,
  jobId: string,
  pages: readonly EstimatorPageHeader[],
  pageBinsMax: number,
): Promise<void> {
  for (const page of pages.filter(({ kind }) => kind === 'list')) {
    const [row] = sumRows.parse(
      await tx.$queryRaw`
        SELECT sum(size_bytes)::bigint AS bytes FROM task_pages JOIN task_outputs USING (output_id)
        WHERE job_id = ${jobId} AND estimator_index = ${page.estimatorIndex} AND page_number = ${page.pageNumber}`,
    );
    if (Number(row?.bytes ?? 0) > pageBinsMax * BYTES_PER_NUMBER) {
      const message = `The upload is too large: ${describePage(page)} of all tasks has more than ${pageBinsMax} bins`;
      throw fail('UPLOAD_TOO_LARGE', { message });
    }
  }
}

const headerRows = z.array(z.object({ estimator_index: z.number(), header: z.unknown() }));
const pageIdRows = z.array(z.object({ output_id: z.bigint(), page_id: z.bigint(), size_bytes: z.bigint() }));
const sumRows = z.array(z.object({ bytes: z.bigint().nullable() }));
const taskPageRow = pageRow.extend({ list_bytes: z.bigint().nullable() });
const idRows = z.array(z.object({ id: z.bigint() }));

async function* readPage(
  db: DatabaseClient,
  { estimatorIndex, pageNumber }: PageKey,
  outputs: readonly StoredTaskOutput[],
): AsyncGenerator<TaskPageBytes> {
  const outputIds = outputs.map(({ outputId }) => outputId);
  const rows = pageIdRows.parse(
    await db.$queryRaw`
      SELECT output_id, page_id, size_bytes FROM task_pages
      WHERE output_id = ANY(${outputIds}::bigint[])
        AND estimator_index = ${estimatorIndex} AND page_number = ${pageNumber}`,
  );
  const rowOf = new Map(rows.map((row) => [row.output_id, row]));
  const pages = outputs.flatMap((output) => {
    const row = rowOf.get(output.outputId);
    return row === undefined ? [] : [{ output, ownerId: row.page_id, sizeBytes: Number(row.size_bytes) }];
  });
  const groupSize = countSmall(pages.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0));
  for (let from = 0; from < pages.length; from += groupSize) {
    const group = pages.slice(from, from + groupSize);
    const blocks = groupSize > 1 ? await readSmallBlocks(db, 'task_page_blocks', group) : undefined;
    for (const { output, ownerId, sizeBytes } of group) {
      yield { kind: 'task', output, sizeBytes };
      const bytes = blocks?.get(ownerId) ?? readBlocks(db, 'task_page_blocks', ownerId, sizeBytes);
      for await (const block of bytes) yield { kind: 'bytes', bytes: block };
    }
  }
}

/** Outputs of tasks in PostgreSQL. */
export function createTaskOutputStore(
  db: DatabaseClient,
  times: UploadTimes,
  { pageBinsMax }: Pick<PageLimits, 'pageBinsMax'>,
): TaskOutputStore {
  return {
    put: (output, pages) =>
      inTransaction(db, times.uploadTimeoutMs, async (tx) => {
        // before anything is taken in; once more, with a lock, before it counts
        const job = await tx.job.findUnique({ where: { jobId: output.jobId }, select: { jobId: true } });
        if (job === null) throw fail('JOB_NOT_FOUND');
        const [row] = idRows.parse(await tx.$queryRaw`SELECT nextval('task_outputs_output_id_seq') AS id`);
        if (row === undefined) throw new Error('a sequence gave no number');
        const written = await writePages(tx, row.id, pages);
        await publishOutput(tx, row.id, output, written);
        await checkLists(tx, output.jobId, written, pageBinsMax);
      }),
    async listOutputs(jobId, taskIds) {
      const rows = await db.taskOutput.findMany({
        where: { jobId, ...(taskIds.length === 0 ? {} : { taskId: { in: [...taskIds] } }) },
        select: { outputId: true, taskId: true, primaries: true, batches: true, engine: true, warnings: true },
        orderBy: { taskId: 'asc' },
      });
      return rows.map((row) => ({
        ...row,
        primaries: Number(row.primaries),
        warnings: readWarningsColumn(row.warnings),
      }));
    },
    async listPages(jobId, outputIds, selection) {
      // no axis but the records of a list has the size 0 here
      const ofPage = Prisma.sql`FROM task_pages AS page WHERE page.output_id = ANY(${[...outputIds]}::bigint[])
        AND page.estimator_index = header.estimator_index AND page.page_number = header.page_number`;
      const rows = z.array(taskPageRow).parse(
        await db.$queryRaw`
          SELECT ${PAGE_COLUMNS},
            CASE WHEN 0 = ANY(sizes) THEN (SELECT sum(page.size_bytes)::bigint ${ofPage}) END AS list_bytes
          FROM job_page_headers AS header
          WHERE job_id = ${jobId} AND ${isSelected(selection)} AND EXISTS (SELECT 1 ${ofPage})
          ORDER BY estimator_index, page_number`,
      );
      return rows.map(({ list_bytes: listBytes, ...row }) => {
        const page = readPageRow(row);
        if (listBytes === null) return page;
        const [columns = 1] = page.sizes;
        return { ...page, sizes: [columns, Number(listBytes) / (columns * BYTES_PER_NUMBER)] };
      });
    },
    async listPageHeaders(jobId, pages) {
      const rows = headerRows.parse(
        await db.$queryRaw`
          SELECT estimator_index, header FROM job_page_headers
          WHERE job_id = ${jobId} AND (estimator_index, page_number) IN (
            SELECT * FROM unnest(${pages.map((page) => page.estimatorIndex)}::int[],
              ${pages.map((page) => page.pageNumber)}::int[]))
          ORDER BY estimator_index, page_number`,
      );
      return rows.map((row) => ({
        ...parsePageHeader(row.header, 'header'),
        estimatorIndex: row.estimator_index,
      }));
    },
    readPage: (page, outputs) => readPage(db, page, outputs),
  };
}
