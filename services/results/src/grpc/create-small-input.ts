import type { results } from '@tally/contracts';
import { type CreateInputPorts, createSmallInput } from '../domain/input/create-input.js';
import { parseDocument, parseInputHeader } from './mappers.js';

/** CreateSmallInput. */
export function createSmallInputRpc(ports: CreateInputPorts) {
  return async (request: results.CreateSmallInputRequest): Promise<results.CreateSmallInputResponse> => {
    await createSmallInput(ports, parseInputHeader(request.header), request.documents.map(parseDocument));
    return {};
  };
}
