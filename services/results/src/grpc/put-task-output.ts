import type { results } from '@tally/contracts';
import { putTaskOutput, type TaskOutputPorts } from '../domain/output/put-task-output.js';
import { parseTaskOutputPart } from './mappers.js';
import { receiveUpload, type UploadLimits } from './upload-messages.js';

/** PutTaskOutput. */
export function putTaskOutputRpc(ports: TaskOutputPorts & { readonly limits: UploadLimits }) {
  return async (messages: AsyncIterable<results.PutTaskOutputRequest>): Promise<results.PutTaskOutputResponse> => {
    const { parts, signal } = receiveUpload(messages, parseTaskOutputPart, ports.limits);
    await putTaskOutput(ports, parts, signal);
    return {};
  };
}
