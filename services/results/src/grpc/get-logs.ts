import type { results } from '@tally/contracts';
import { getLogs } from '../domain/log/get-logs.js';
import { mapStream, parseJobId, toBuffer } from './mappers.js';
import { currentReader } from './reader.js';

/** GetLogs. */
export function getLogsRpc(ports: Parameters<typeof getLogs>[0]) {
  return (request: results.GetLogsRequest): AsyncIterable<results.GetLogsResponse> =>
    mapStream(getLogs(ports, parseJobId(request.jobId), currentReader()), (part) =>
      part.kind === 'log'
        ? { part: { $case: 'key', value: part.key } }
        : { part: { $case: 'chunk', value: toBuffer(part.bytes) } },
    );
}
