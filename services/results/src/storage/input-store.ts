import { sql } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { InputStore, StoredJob } from '../domain/ports.js';
import { type Contents, readContent, storeContent } from './content-store.js';
import { insertBlob } from './statements/blobs.js';
import {
  deleteJob,
  deleteLogs,
  deleteResults,
  findJob,
  type InputRow,
  insertJob,
  type JobRow,
  listBytes,
  listOwnerBytes,
  openInput,
  updateOwner,
} from './statements/inputs.js';
import { abandonGroups } from './statements/objects.js';

export function readJob({ owner_id: ownerId, input_kind: kind, notes }: JobRow): StoredJob {
  return { ownerId, kind, warnings: [], ...notes };
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
            void transaction.send(insertBlob(content, header.jobId));
            return true;
          },
        });
      } catch (err) {
        if (err instanceof JobExists) return false;
        throw err;
      }
    },
    async findJob(jobId) {
      const row = await db.row(findJob(jobId));
      return row && readJob(row);
    },
    async openInput(jobId) {
      const row = await db.row(openInput(jobId));
      return row && { ...readJob(row), documents: row.documents, gzip: bytesOf(contents, row) };
    },
    async deleteResults(jobId) {
      await db.change([], () => ({ save: deleteResults(jobId), result: undefined }));
    },
    async deleteLogs(jobId) {
      await db.run(deleteLogs(jobId));
    },
    listBytes: (jobIds) => db.rows(listBytes(jobIds)),
    listOwnerBytes: () => db.rows(listOwnerBytes()),
    async updateOwner(jobIds, ownerId, newOwnerId) {
      await db.run(updateOwner(jobIds, ownerId, newOwnerId));
    },
    async deleteJob(jobId) {
      const removal = deleteJob(jobId);
      if (contents.objects === undefined) await db.run(removal);
      else await db.change([], () => ({ save: [abandonGroups(sql`job_id = ${jobId}`), removal], result: undefined }));
    },
  };
}

/** Ends the transaction of an input whose job is there already. */
class JobExists extends Error {
  override readonly name = 'JobExists';
}

async function* bytesOf(contents: Contents, { content, blob_id: blobId, content_bytes: bytes }: InputRow) {
  if (content !== null) yield content;
  else if (blobId !== null) yield* readContent(contents, { place: { blobId }, from: 0, to: Number(bytes) });
  else throw fail('CHANGED_WHILE_READ');
}
