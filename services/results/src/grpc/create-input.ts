import type { results } from '@tally/contracts';
import { type CreateInputPorts, createInput } from '../domain/input/create-input.js';
import { parseInputPart } from './mappers.js';
import { receiveUpload, type UploadLimits } from './upload-messages.js';

/** CreateInput. */
export function createInputRpc(ports: CreateInputPorts & { readonly limits: UploadLimits }) {
  return async (messages: AsyncIterable<results.CreateInputRequest>): Promise<results.CreateInputResponse> => {
    const { parts, signal } = receiveUpload(messages, parseInputPart, ports.limits);
    await createInput(ports, parts, signal);
    return {};
  };
}
