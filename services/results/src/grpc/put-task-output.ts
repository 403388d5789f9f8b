import type { results } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { putTaskOutput } from '../domain/put-task-output.js';
import { mapStream, parseTaskOutputPart } from './mappers.js';

/** PutTaskOutput. */
export function handlePutTaskOutput(ports: Parameters<typeof putTaskOutput>[0]) {
  return async (messages: AsyncIterable<results.PutTaskOutputRequest>): Promise<results.PutTaskOutputResponse> => {
    await putTaskOutput(ports, mapStream(messages, parseTaskOutputPart), currentContext()?.signal);
    return {};
  };
}
