import type { results } from '@tally/contracts';
import { appendLog } from '../domain/append-log.js';
import { parseJobId } from './mappers.js';

/** AppendLog. */
export function handleAppendLog(ports: Parameters<typeof appendLog>[0]) {
  return async (request: results.AppendLogRequest): Promise<results.AppendLogResponse> => {
    const { taskId, name = '', attemptId, offset, text, isRestart = false, isNote = false } = request;
    const key = name === '' ? { taskId } : { name };
    const jobId = parseJobId(request.jobId);
    await appendLog(ports, { jobId, key, attemptId, offset: Number(offset), text, isRestart, isNote });
    return {};
  };
}
