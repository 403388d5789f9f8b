import { type Reader, requireJob } from './job-access.js';
import { logKeyText, readLog } from './logfile.js';
import type { InputStore, LogStore } from './ports.js';

/** A piece of an answer: the key of a log, then its text. */
export type LogsPart =
  | { readonly kind: 'log'; readonly key: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/**
 * The logs of a job in ascending task number, then those with a name; each at most `logBytesMax` long.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function* getLogs(
  ports: { readonly inputs: InputStore; readonly logs: LogStore; readonly logBytesMax: number },
  jobId: string,
  reader: Reader,
): AsyncGenerator<LogsPart> {
  await requireJob(ports.inputs, jobId, reader);
  for (const { logId, key, totalBytes } of await ports.logs.list(jobId)) {
    yield { kind: 'log', key: logKeyText(key) };
    const read = (from: number, to: number) => ports.logs.read(jobId, logId, from, to);
    for await (const bytes of readLog(totalBytes, ports.logBytesMax, read)) yield { kind: 'bytes', bytes };
  }
}
