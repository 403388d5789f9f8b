import type { TaskOutputFile } from '@tally/contracts';
import { MergeError, readTaskOutputIndex, type TaskOutputIndex, taskOutputHeaderBytes } from '@tally/merge';
import { fail } from '../../errors.js';
import { type Base64Bytes, base64Bytes } from './base64-bytes.js';

const FIELD = 'task_output';
/** Bytes of one message of the stream at most; see results_service.proto. */
const CHUNK_BYTES = 256 * 1024;
/** Beginning of the file that has the length of its header, bytes. */
const PREAMBLE_BYTES = 16;
/** Longest header, bytes: it is parsed at once, and names pages and bin centres only. */
const HEADER_BYTES_MAX = 8_000_000;

/**
 * Reads the header of a task output; the rest is decoded as it is sent, and when a part of it is not base64, reading
 * it throws REQUEST_INVALID: results then stores nothing.
 * @param digits - base64
 * @param primaries - of the request; those of the output must be equal
 * @throws ServiceError REQUEST_INVALID
 */
export function readTaskOutput(digits: Buffer, primaries: number): TaskOutputFile {
  const bytes = base64Bytes(digits, FIELD);
  const index = orInvalid(() => readIndex(bytes));
  if (index.totalBytes !== bytes.sizeBytes) {
    throw invalid(`has ${bytes.sizeBytes} bytes instead of the ${index.totalBytes} that it announces`);
  }
  if (index.header.primaries !== primaries) {
    const message = `must be ${index.header.primaries}, as task_output says`;
    throw fail('REQUEST_INVALID', {
      message: `The request is not valid: primaries ${message}`,
      fields: [{ field: 'primaries', message }],
    });
  }
  return { index, read: (offsetBytes, sizeBytes) => chunksOf(bytes, offsetBytes, offsetBytes + sizeBytes) };
}

function* chunksOf(bytes: Base64Bytes, start: number, end: number): Generator<Buffer> {
  for (let from = start; from < end; from += CHUNK_BYTES) yield bytes.slice(from, Math.min(from + CHUNK_BYTES, end));
}

function readIndex(bytes: Base64Bytes): TaskOutputIndex {
  const headerBytes = taskOutputHeaderBytes(bytes.slice(0, Math.min(PREAMBLE_BYTES, bytes.sizeBytes)));
  if (headerBytes > HEADER_BYTES_MAX) throw invalid(`has a header of more than ${HEADER_BYTES_MAX} bytes`);
  return readTaskOutputIndex(bytes.slice(0, Math.min(headerBytes, bytes.sizeBytes)));
}

function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (err) {
    if (err instanceof MergeError) throw invalid(`cannot be taken: ${err.message}`, err);
    throw err;
  }
}

function invalid(message: string, cause?: unknown) {
  return fail('REQUEST_INVALID', {
    message: `The request is not valid: ${FIELD} ${message}`,
    fields: [{ field: FIELD, message }],
    cause,
  });
}
