import { gunzip } from './gzip.js';
import type { DocumentRole, InputDocument, InputHeader } from './input.js';
import { type Reader, requireJob } from './job-access.js';
import type { InputStore } from './ports.js';
import type { UploadPart } from './upload.js';

/** Largest piece of a stream. */
const CHUNK_BYTES_MAX = 256 * 1024;

/**
 * A job's input as it was uploaded.
 * @param roles - wanted roles; none: all
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function* getInput(
  ports: { readonly inputs: InputStore },
  jobId: string,
  roles: readonly DocumentRole[],
  reader: Reader,
): AsyncGenerator<UploadPart<InputHeader, InputDocument>> {
  const { ownerId, kind } = await requireJob(ports.inputs, jobId, reader);
  const documents = await ports.inputs.listDocuments(jobId, roles);
  yield { kind: 'header', header: { jobId, ownerId, kind, documentCount: documents.length } };
  for (const { document, gzip } of documents) {
    yield { kind: 'thing', thing: document };
    for await (const bytes of gunzip(gzip, CHUNK_BYTES_MAX)) yield { kind: 'bytes', bytes };
  }
}
