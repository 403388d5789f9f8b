import type { results } from '@tally/contracts';
import { type AppendLogPorts, appendLog } from '../domain/log/append-log.js';
import { parseJobId } from './mappers.js';

/** AppendLog. */
export function appendLogRpc(ports: AppendLogPorts) {
  return async (request: results.AppendLogRequest): Promise<results.AppendLogResponse> => {
    const { taskId, name = '', attemptId, offset, isRestart = false, isNote = false, text } = request;
    const key = name === '' ? { taskId } : { name };
    const jobId = parseJobId(request.jobId);
    await appendLog(ports, { jobId, key, attemptId, offset: Number(offset), text, isRestart, isNote });
    return {};
  };
}
