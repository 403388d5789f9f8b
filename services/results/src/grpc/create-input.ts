import type { results } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { createInput } from '../domain/create-input.js';
import { mapStream, parseInputPart } from './mappers.js';

/** CreateInput. */
export function handleCreateInput(ports: Parameters<typeof createInput>[0]) {
  return async (messages: AsyncIterable<results.CreateInputRequest>): Promise<results.CreateInputResponse> => {
    await createInput(ports, mapStream(messages, parseInputPart), currentContext()?.signal);
    return {};
  };
}
