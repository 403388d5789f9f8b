import type { JobId } from './job-id.js';
import { characterStart, toText, wholeCharacters } from './log-text.js';
import type { ObservationPorts } from './observation-ports.js';
import { isRefusal } from './refusal.js';
import type { RemoteFile, RemoteFiles } from './remote-files.js';

/** Bytes of one message to results; the contract's limit. */
const CHUNK_BYTES = 256 * 1024;
/** Of what a scheduler keeps of a task only the end is taken: the last words of a crash. */
const TAIL_BYTES_MAX = 64 * 1024;

type LogPorts = Pick<ObservationPorts, 'results' | 'limits' | 'metrics' | 'logger'>;

/** Whose log. */
export interface LogTarget {
  readonly clusterName: string;
  readonly jobId: JobId;
  readonly taskId: number;
}

/** False: results will not take it. A log that cannot be kept is not worth a simulation. */
async function append(ports: LogPorts, to: LogTarget, offset: number, text: string): Promise<boolean> {
  try {
    await ports.results.appendTaskLog(to.jobId, to.taskId, offset, text);
    ports.metrics.bytesFetched(to.clusterName, Buffer.byteLength(text));
    return true;
  } catch (err) {
    if (!isRefusal(err)) throw err;
    ports.logger.warn({ err, job_id: to.jobId, task_id: to.taskId }, 'a log of a cluster is not kept');
    return false;
  }
}

/**
 * Takes a task's log from its file to results, from `fromBytes` on. Safe to repeat.
 * @param isWhole - nothing more is written into it
 * @returns bytes of the log, from its beginning, that results has now
 */
export async function fetchLog(
  ports: LogPorts,
  files: RemoteFiles,
  path: string,
  { to, fromBytes, isWhole }: { readonly to: LogTarget; readonly fromBytes: number; readonly isWhole: boolean },
): Promise<number> {
  const { taskLogBytesMax } = ports.limits;
  const fetched = await files.open(path, async (file) => {
    const endBytes = Math.min(file.sizeBytes, taskLogBytesMax);
    let offset = fromBytes;
    while (offset < endBytes) {
      const bytes = await file.read(offset, Math.min(CHUNK_BYTES, endBytes - offset));
      const isLast = offset + bytes.length >= endBytes && isWhole;
      const size = wholeCharacters(bytes) || (isLast ? bytes.length : 0);
      if (size === 0) break; // the file has become shorter, or holds half a character so far
      if (!(await append(ports, to, offset, toText(bytes.subarray(0, size))))) return endBytes;
      offset += size;
    }
    if (!isWhole || file.sizeBytes <= taskLogBytesMax || offset > taskLogBytesMax) return offset;
    const note = `\n--- ${file.sizeBytes - taskLogBytesMax} more bytes of this log were left on the cluster ---\n`;
    await append(ports, to, offset, note);
    return offset + Buffer.byteLength(note);
  });
  return fetched ?? fromBytes;
}

/**
 * Puts the end of what the scheduler has kept of a task behind its log: what it printed outside of the helper, and the
 * scheduler's own words, such as "exceeded memory limit"; then how the scheduler says that it ended. Safe to repeat.
 * @param path - of what the scheduler has kept; undefined: nothing
 */
export async function fetchTail(
  ports: LogPorts,
  files: RemoteFiles,
  path: string | undefined,
  {
    to,
    offsetBytes,
    end,
  }: {
    readonly to: LogTarget;
    /** Bytes of the log so far. */
    readonly offsetBytes: number;
    /** For people, with exit code or signal where they are known. */
    readonly end: string;
  },
): Promise<void> {
  const kept = path === undefined ? undefined : await files.open(path, readTail);
  await append(ports, to, offsetBytes, `${offsetBytes === 0 ? '' : '\n'}${kept ?? ''}--- ${end} ---\n`);
}

async function readTail(file: RemoteFile): Promise<string> {
  const read = await file.read(Math.max(0, file.sizeBytes - TAIL_BYTES_MAX), TAIL_BYTES_MAX);
  const bytes = read.subarray(read.length < file.sizeBytes ? characterStart(read) : 0);
  if (bytes.length === 0) return '';
  const heading =
    bytes.length < file.sizeBytes
      ? `--- what the scheduler kept of this task, its last ${bytes.length} of ${file.sizeBytes} bytes ---\n`
      : '--- what the scheduler kept of this task ---\n';
  return `${heading}${toText(bytes)}\n`;
}
