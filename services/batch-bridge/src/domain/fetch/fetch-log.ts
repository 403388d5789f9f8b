import type { JobId } from '../job-id.js';
import { isPermanentError } from '../permanent-error.js';
import type { WorkerPorts } from '../ports.js';
import type { RemoteFile, RemoteFiles } from '../remote-files.js';
import { characterStart, toText, wholeCharacters } from './log-text.js';

/** Bytes of one message to results; the contract's limit. */
const CHUNK_BYTES = 256 * 1024;
/** Of the scheduler's own log of a task only the end is taken: what it printed last. */
const TAIL_BYTES_MAX = 64 * 1024;

type LogPorts = Pick<WorkerPorts, 'results' | 'limits' | 'metrics' | 'logger'>;

/** The task that a file is of. */
export interface TransferTarget {
  readonly clusterName: string;
  readonly jobId: JobId;
  readonly taskId: number;
}

/** False: results will not take it. A log that cannot be kept is not worth a simulation. */
async function append(ports: LogPorts, to: TransferTarget, offset: number, text: string): Promise<boolean> {
  try {
    await ports.results.appendTaskLog(to.jobId, to.taskId, offset, text);
    ports.metrics.bytesFetched(to.clusterName, Buffer.byteLength(text));
    return true;
  } catch (err) {
    if (!isPermanentError(err)) throw err;
    ports.logger.warn({ err, job_id: to.jobId, task_id: to.taskId }, 'a log of a cluster is not kept');
    return false;
  }
}

/**
 * Copies a task's log from its file to results, from `fromBytes` on. Safe to repeat.
 * @param isFinal - nothing more is written into it
 * @returns bytes of the log, from its beginning, that results has now
 */
export async function fetchLog(
  ports: LogPorts,
  files: RemoteFiles,
  path: string,
  { to, fromBytes, isFinal }: { readonly to: TransferTarget; readonly fromBytes: number; readonly isFinal: boolean },
): Promise<number> {
  const { taskLogBytesMax } = ports.limits;
  const fetched = await files.open(path, async (file) => {
    const endBytes = Math.min(file.sizeBytes, taskLogBytesMax);
    let offset = fromBytes;
    while (offset < endBytes) {
      const bytes = await file.read(offset, Math.min(CHUNK_BYTES, endBytes - offset));
      const isLast = offset + bytes.length >= endBytes && isFinal;
      const size = wholeCharacters(bytes) || (isLast ? bytes.length : 0);
      if (size === 0) break; // the file has become shorter, or holds half a character so far
      if (!(await append(ports, to, offset, toText(bytes.subarray(0, size))))) return endBytes;
      offset += size;
    }
    if (!isFinal || file.sizeBytes <= taskLogBytesMax || offset > taskLogBytesMax) return offset;
    const note = `\n--- ${file.sizeBytes - taskLogBytesMax} more bytes of this log were left on the cluster ---\n`;
    await append(ports, to, offset, note);
    return offset + Buffer.byteLength(note);
  });
  return fetched ?? fromBytes;
}

/**
 * Appends to a task's log the end of the scheduler's own log of it: what was printed outside of the helper, and messages of
 * the scheduler, such as "exceeded memory limit"; then how it ended for the scheduler. Safe to repeat.
 * @param path - of the scheduler's log; undefined: there is none
 */
export async function fetchSchedulerLog(
  ports: LogPorts,
  files: RemoteFiles,
  path: string | undefined,
  to: TransferTarget,
  after: {
    /** Bytes of the task's log so far. */
    readonly offsetBytes: number;
    /** How it ended, for people, with exit code or signal where they are known. */
    readonly end: string;
  },
): Promise<void> {
  const tail = path === undefined ? undefined : await files.open(path, readTail);
  const separator = after.offsetBytes === 0 ? '' : '\n';
  await append(ports, to, after.offsetBytes, `${separator}${tail ?? ''}--- ${after.end} ---\n`);
}

async function readTail(file: RemoteFile): Promise<string> {
  const read = await file.read(Math.max(0, file.sizeBytes - TAIL_BYTES_MAX), TAIL_BYTES_MAX);
  const bytes = read.subarray(read.length < file.sizeBytes ? characterStart(read) : 0);
  if (bytes.length === 0) return '';
  const part = bytes.length < file.sizeBytes ? `, its last ${bytes.length} of ${file.sizeBytes} bytes` : '';
  return `--- what the scheduler kept of this task${part} ---\n${toText(bytes)}\n`;
}
