import type { results } from '@tally/contracts';
import { type CreateInputPorts, createSmallInput } from '../domain/input/create-input.js';
import { parseSmallInput } from './mappers.js';

/** CreateSmallInput. */
export function createSmallInputRpc(ports: CreateInputPorts) {
  return async (request: results.CreateSmallInputRequest): Promise<results.CreateSmallInputResponse> => {
    const room = await createSmallInput(ports, parseSmallInput(request));
    return room === undefined ? {} : { ownerRoomBytes: BigInt(room) };
  };
}
