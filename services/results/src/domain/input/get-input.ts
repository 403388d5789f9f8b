import { gunzipSync } from 'node:zlib';
import { chunksOf } from '@tally/service-kit';
import { gunzip } from '../gzip.js';
import { type Reader, requireReader } from '../job-access.js';
import type { InputStore, StoredBytes } from '../ports.js';
import type { ReceivedPart } from '../upload.js';
import type { DocumentRole, InputDocument, InputHeader } from './input.js';

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
): AsyncGenerator<ReceivedPart<InputHeader, InputDocument>> {
  const { documents, gzip, ...job } = requireReader(await ports.inputs.openInput(jobId), reader);
  const isWanted = ({ role }: InputDocument) => roles.length === 0 || roles.includes(role);
  const documentCount = documents.filter(isWanted).length;
  yield { kind: 'header', header: { jobId, ...job, documentCount } };
  const pieces = unpack(
    gzip,
    documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  let rest: Uint8Array = new Uint8Array(0);
  for (const document of documents) {
    if (isWanted(document)) yield { kind: 'item', item: { ...document, sizeBytes: undefined } };
    for (let left = document.sizeBytes; left > 0; ) {
      if (rest.byteLength === 0) rest = await nextOf(pieces);
      const bytes = rest.subarray(0, left);
      if (bytes.byteLength === 0) throw new RangeError('the input is shorter than its documents');
      if (isWanted(document)) yield { kind: 'bytes', bytes };
      rest = rest.subarray(bytes.byteLength);
      left -= bytes.byteLength;
    }
  }
}

/** Nothing at the end. */
async function nextOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const next = await pieces.next();
  return next.done ? new Uint8Array(0) : next.value;
}

/** Up to this size an input is unpacked at once, which takes a few milliseconds. */
const WHOLE_BYTES_MAX = 1024 * 1024;

/** What an input holds, in pieces. */
async function* unpack(gzip: StoredBytes, sizeBytes: number): AsyncGenerator<Uint8Array> {
  if (sizeBytes > WHOLE_BYTES_MAX) {
    yield* gunzip(gzip, CHUNK_BYTES_MAX);
    return;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of gzip) pieces.push(piece);
  const whole = gunzipSync(Buffer.concat(pieces), { maxOutputLength: WHOLE_BYTES_MAX });
  yield* chunksOf(whole, CHUNK_BYTES_MAX);
}
