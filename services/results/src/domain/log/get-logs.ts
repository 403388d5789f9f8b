import { type Reader, requireReader } from '../job-access.js';
import type { InputStore, LogStore } from '../ports.js';
import { logKeyText, readLog } from './logfile.js';

/** A piece of an answer: the key of a log, then its text. */
export type LogsPart =
  | { readonly kind: 'log'; readonly key: string }
  | { readonly kind: 'text'; readonly text: Uint8Array };

/**
 * The logs of a job in ascending task number, then those with a name; each at most `logBytesMax` long.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function* getLogs(
  ports: { readonly inputs: InputStore; readonly logs: LogStore; readonly logBytesMax: number },
  jobId: string,
  reader: Reader,
): AsyncGenerator<LogsPart> {
  requireReader(await ports.inputs.findJob(jobId), reader);
  for await (const log of ports.logs.list(jobId)) {
    yield { kind: 'log', key: logKeyText(log.key) };
    const read = (from: number, to: number) => log.read(from, to);
    for await (const text of readLog(log.totalBytes, ports.logBytesMax, read)) yield { kind: 'text', text };
  }
}
