import { z } from 'zod';
import type { DocumentRole, InputDocument, InputKind } from '../domain/input.js';
import type { InputStore } from '../domain/ports.js';
import type { ThingEvent } from '../domain/upload.js';
import { BlockWriter, readBlocks } from './block-store.js';
import { type Database, type DatabaseClient, inTransaction, type UploadTimes } from './database.js';

const KIND: z.ZodType<InputKind> = z.enum(['editor', 'files']);
const ROLE: z.ZodType<DocumentRole> = z.enum(['submitted', 'deck']);

async function writeDocuments(
  tx: Database,
  jobId: string,
  documents: AsyncIterable<ThingEvent<InputDocument>>,
): Promise<void> {
  let current: { documentId: bigint; writer: BlockWriter } | undefined;
  let position = 0;
  for await (const event of documents) {
    if (event.kind === 'start') {
      const { role, name } = event.thing;
      const { documentId } = await tx.inputDocument.create({
        data: { jobId, position, role, name },
        select: { documentId: true },
      });
      position += 1;
      current = { documentId, writer: new BlockWriter(tx, 'input_blocks', documentId) };
    } else if (event.kind === 'bytes') {
      await current?.writer.write(event.bytes);
    } else if (current !== undefined) {
      const { documentId, writer } = current;
      await tx.inputDocument.update({
        where: { documentId },
        data: { sizeBytes: await writer.end() },
        select: { documentId: true },
      });
    }
  }
}

/** Jobs and their inputs in PostgreSQL. */
export function createInputStore(db: DatabaseClient, times: UploadTimes): InputStore {
  return {
    create: ({ jobId, ownerId, kind }, documents) =>
      inTransaction(db, times.uploadTimeoutMs, async (tx) => {
        // waits for a create of the same job that is under way: one of the two does it
        const created = await tx.$executeRaw`
          INSERT INTO jobs (job_id, owner_id, input_kind) VALUES (${jobId}, ${ownerId}, ${kind})
          ON CONFLICT (job_id) DO NOTHING`;
        if (created === 0) return false;
        await writeDocuments(tx, jobId, documents);
        return true;
      }),
    async findJob(jobId) {
      const row = await db.job.findUnique({ where: { jobId }, select: { ownerId: true, inputKind: true } });
      return row === null ? undefined : { ownerId: row.ownerId, kind: KIND.parse(row.inputKind) };
    },
    async listDocuments(jobId, roles) {
      const rows = await db.inputDocument.findMany({
        where: { jobId, ...(roles.length === 0 ? {} : { role: { in: [...roles] } }) },
        select: { documentId: true, role: true, name: true, sizeBytes: true },
        orderBy: { position: 'asc' },
      });
      return rows.map(({ documentId, role, name, sizeBytes }) => ({
        document: { role: ROLE.parse(role), name, sizeBytes: undefined },
        gzip: readBlocks(db, 'input_blocks', documentId, Number(sizeBytes)),
      }));
    },
    async deleteJob(jobId) {
      await db.$executeRaw`DELETE FROM jobs WHERE job_id = ${jobId}`;
    },
  };
}
