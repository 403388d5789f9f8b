import type { results } from '@tally/contracts';
import { getLogs } from '../domain/log/get-logs.js';
import { mapStream, parseJobId, toBuffer } from './mappers.js';
import { currentReader } from './reader.js';

/** GetLogs. */
export function getLogsRpc(ports: Parameters<typeof getLogs>[0]) {
  return ({ jobId }: results.GetLogsRequest): AsyncIterable<results.GetLogsResponse> =>
    mapStream(getLogs(ports, parseJobId(jobId), currentReader()), (part) => ({
      part: part.kind === 'log' ? { $case: 'key', value: part.key } : { $case: 'chunk', value: toBuffer(part.text) },
    }));
}
