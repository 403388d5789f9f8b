import type { results } from '@tally/contracts';
import type { AppendLogPorts } from '../domain/log/append-log.js';
import { putTaskOutput, type TaskOutputPart, type TaskOutputPorts } from '../domain/output/put-task-output.js';
import { parseTaskOutputParts } from './mappers.js';
import { receiveUpload, type UploadLimits } from './upload-messages.js';

/** PutTaskOutput. */
export function putTaskOutputRpc(ports: TaskOutputPorts & AppendLogPorts & { readonly limits: UploadLimits }) {
  return async (messages: AsyncIterable<results.PutTaskOutputRequest>): Promise<results.PutTaskOutputResponse> => {
    const { parts, signal } = receiveUpload(messages, parseTaskOutputParts, ports.limits);
    await putTaskOutput(ports, each(parts), signal);
    return {};
  };
}

async function* each(lists: AsyncIterable<readonly TaskOutputPart[]>): AsyncGenerator<TaskOutputPart> {
  for await (const parts of lists) yield* parts;
}
