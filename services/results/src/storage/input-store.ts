import { sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { InputHeader, InputKind, InputNotes } from '../domain/input/input.js';
import type { InputStore, StoredDocument, StoredJob } from '../domain/ports.js';
import { blobStatements, type Contents, type NewContent, readContent, storeContent } from './content-store.js';

/** Columns of a job that tell who owns it, what it is, and what is to be said of it. */
export interface JobRow {
  readonly owner_id: bigint;
  readonly input_kind: InputKind;
  /** Null: nothing is to be said. */
  readonly notes: InputNotes | null;
}

export function readJob({ owner_id: ownerId, input_kind: kind, notes }: JobRow): StoredJob {
  return { ownerId, kind, warnings: [], ...notes };
}

interface InputRow extends JobRow {
  readonly documents: StoredDocument[];
  readonly content: Buffer | null;
  readonly blob_id: bigint | null;
  readonly content_bytes: bigint;
}

/** Jobs and their inputs in PostgreSQL. */
export function createInputStore(contents: Contents, { rowBytesMax }: { readonly rowBytesMax: number }): InputStore {
  const { db } = contents;
  return {
    async create(header, gzip) {
      try {
        return await storeContent(contents, gzip, rowBytesMax, {
          small: async (content, documents) => (await db.run(insertJob(header, documents, content))) > 0,
          large: async (transaction, content, documents) => {
            if ((await transaction.run(insertJob(header, documents, content))) === 0) throw new JobExists();
            void transaction.send(blobStatements(content, header.jobId));
            return true;
          },
        });
      } catch (err) {
        if (err instanceof JobExists) return false;
        throw err;
      }
    },
    async findJob(jobId) {
      const row = await db.row(sql<JobRow>`SELECT owner_id, input_kind, notes FROM jobs WHERE job_id = ${jobId}`);
      return row && readJob(row);
    },
    async openInput(jobId) {
      const row = await db.row(sql<InputRow>`
        SELECT owner_id, input_kind, notes, documents, content, blob_id, content_bytes FROM jobs WHERE job_id = ${jobId}`);
      return row && { ...readJob(row), documents: row.documents, gzip: bytesOf(contents, row) };
    },
    async deleteJob(jobId) {
      const remove = sql`DELETE FROM jobs WHERE job_id = ${jobId}`;
      if (contents.objects === undefined) {
        await db.run(remove);
        return;
      }
      // swept by the next round, and not after the time of an upload
      const release = sql`UPDATE object_groups SET created_at = '-infinity'
        WHERE name IN (SELECT object_group FROM blobs WHERE job_id = ${jobId})`;
      await db.change([], () => ({ save: [release, remove], result: undefined }));
    },
  };
}

/** Ends the transaction of an input whose job is there already. */
class JobExists extends Error {
  override readonly name = 'JobExists';
}

/** Waits for a create of the same job that is under way: one of the two does it. */
function insertJob(
  { jobId, ownerId, kind, warnings, simulatorDeckNote }: InputHeader,
  documents: readonly StoredDocument[],
  { content, blobId, sizeBytes }: NewContent,
) {
  return sql`
    INSERT INTO jobs (job_id, owner_id, input_kind, notes, documents, content, blob_id, content_bytes)
    VALUES (${jobId}, ${ownerId}, ${kind}, ${notesText({ warnings, simulatorDeckNote })}, ${JSON.stringify(documents)}, ${content},
      ${blobId}, ${sizeBytes})
    ON CONFLICT (job_id) DO NOTHING`;
}

/** Null: nothing is to be said. */
function notesText({ warnings, simulatorDeckNote }: InputNotes): string | null {
  const isSilent = warnings.length === 0 && simulatorDeckNote === undefined;
  return isSilent ? null : JSON.stringify({ warnings, simulatorDeckNote });
}

async function* bytesOf(contents: Contents, { content, blob_id: blobId, content_bytes: bytes }: InputRow) {
  if (content !== null) yield content;
  else if (blobId !== null) yield* readContent(contents, { place: { blobId }, from: 0, to: Number(bytes) });
  else throw fail('CHANGED_WHILE_READ');
}
