import type { results } from '@tally/contracts';
import { getLogs } from '../domain/log/get-logs.js';
import type { LogText } from '../domain/log/logfile.js';
import { mapStream, parseJobId, toBuffer } from './mappers.js';
import { currentReader } from './reader.js';

/** GetLogs. */
export function getLogsRpc(ports: Parameters<typeof getLogs>[0]) {
  return ({ jobId, isGzipRead = false }: results.GetLogsRequest): AsyncIterable<results.GetLogsResponse> =>
    mapStream(getLogs(ports, parseJobId(jobId), currentReader()), (part) => ({
      part: part.kind === 'log' ? { $case: 'key', value: part.key } : toText(part.text, isGzipRead),
    }));
}

function toText(text: LogText, isGzipRead: boolean): results.GetLogsResponse['part'] {
  return isGzipRead && text.gzip !== undefined
    ? { $case: 'gzip', value: toBuffer(text.gzip) }
    : { $case: 'chunk', value: toBuffer(text.bytes()) };
}
