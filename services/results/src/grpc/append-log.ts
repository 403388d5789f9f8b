import type { results } from '@tally/contracts';
import { appendLog } from '../domain/append-log.js';
import { parseJobId } from './mappers.js';

/** AppendLog. */
export function handleAppendLog(ports: Parameters<typeof appendLog>[0]) {
  return async (request: results.AppendLogRequest): Promise<results.AppendLogResponse> => {
    await appendLog(ports, { ...request, jobId: parseJobId(request.jobId), offset: Number(request.offset) });
    return {};
  };
}
