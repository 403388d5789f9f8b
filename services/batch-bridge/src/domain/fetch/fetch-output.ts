import { MergeError, readTaskOutputIndex, type TaskOutputIndex, taskOutputHeaderBytes } from '@tally/merge';
import { chunksOf } from '@tally/service-kit';
import { isPermanentError } from '../permanent-error.js';
import type { WorkerPorts } from '../ports.js';
import type { RemoteFile, RemoteFiles } from '../remote-files.js';
import type { TransferTarget } from './fetch-log.js';

/** Outcome of the transfer of a task's output. `missing`: there is no such file (yet). `refused`: it cannot be taken, ever. */
export type OutputOutcome =
  | { readonly kind: 'stored' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string };

/** Bytes of one message to results; the contract's limit. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes read at once: many chunks, so that the way to the cluster costs little. */
const READ_BYTES = 4 * 1024 * 1024;
/** Beginning of the file that tells how long its header is. */
const PREAMBLE_BYTES = 16;
/** Longest readable part of an output: names and bin centres; results allows four million centres. */
const HEADER_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Copies a task's output from its file on a cluster to results, page by page; it is never held as a whole. Safe to repeat.
 * @param path - absolute
 */
export async function fetchOutput(
  { results, limits, metrics }: Pick<WorkerPorts, 'results' | 'limits' | 'metrics'>,
  files: RemoteFiles,
  path: string,
  to: TransferTarget,
): Promise<OutputOutcome> {
  const refused = (message: string): OutputOutcome => ({ kind: 'refused', message });
  const outcome = await files.open(path, async (file): Promise<OutputOutcome> => {
    if (file.sizeBytes > limits.taskOutputBytesMax) {
      return refused(`The task's output has ${file.sizeBytes} bytes, more than ${limits.taskOutputBytesMax}`);
    }
    try {
      const index = await readIndex(file);
      const read = (offset: number, size: number): AsyncIterable<Buffer> => readChunks(file, offset, size);
      await results.putTaskOutput(to.jobId, to.taskId, { index, read });
    } catch (err) {
      if (err instanceof MergeError || isPermanentError(err))
        return refused(`The task's output cannot be used: ${err.message}`);
      throw err;
    }
    metrics.bytesFetched(to.clusterName, file.sizeBytes);
    return { kind: 'stored' };
  });
  return outcome ?? { kind: 'missing' };
}

/** @throws MergeError unless the file is exactly one task output */
async function readIndex(file: RemoteFile): Promise<TaskOutputIndex> {
  const headerBytes = taskOutputHeaderBytes(await file.read(0, PREAMBLE_BYTES));
  if (headerBytes > HEADER_BYTES_MAX) throw new MergeError('MALFORMED', 'task output: its header is too long');
  const index = readTaskOutputIndex(await file.read(0, headerBytes));
  if (index.totalBytes !== file.sizeBytes) {
    const message = `task output: ${index.totalBytes} bytes announced, ${file.sizeBytes} there`;
    throw new MergeError(index.totalBytes > file.sizeBytes ? 'TRUNCATED' : 'MALFORMED', message);
  }
  return index;
}

/** @throws MergeError when the file has become shorter */
async function* readChunks(file: RemoteFile, offsetBytes: number, sizeBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < sizeBytes; at += READ_BYTES) {
    const wanted = Math.min(READ_BYTES, sizeBytes - at);
    const bytes = await file.read(offsetBytes + at, wanted);
    if (bytes.length < wanted) throw new MergeError('TRUNCATED', 'task output: the file has become shorter');
    yield* chunksOf(bytes, CHUNK_BYTES);
  }
}
