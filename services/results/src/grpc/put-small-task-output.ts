import type { results } from '@tally/contracts';
import type { AppendLogPorts } from '../domain/log/append-log.js';
import { putSmallTaskOutput } from '../domain/output/put-small-task-output.js';
import type { TaskOutputPorts } from '../domain/output/put-task-output.js';
import { parseLogText, parsePageHeader, parseTaskOutputHeader } from './mappers.js';

/** PutSmallTaskOutput. */
export function putSmallTaskOutputRpc(ports: TaskOutputPorts & AppendLogPorts) {
  return async (request: results.PutSmallTaskOutputRequest): Promise<results.PutSmallTaskOutputResponse> => {
    const header = parseTaskOutputHeader(request.header);
    const pages = request.pages.map(parsePageHeader);
    await putSmallTaskOutput(ports, {
      header,
      pages,
      content: request.content,
      remainders: request.remainders,
      log: parseLogText(header, request.log),
    });
    return {};
  };
}
