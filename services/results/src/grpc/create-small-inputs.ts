import { results } from '@tally/contracts';
import { fail } from '../domain/errors.js';
import { type CreateInputPorts, createSmallInputs } from '../domain/input/create-input.js';
import { parseSmallInput } from './mappers.js';

/** CreateSmallInputs. */
export function createSmallInputsRpc(ports: CreateInputPorts) {
  return async (request: results.CreateSmallInputsRequest): Promise<results.CreateSmallInputsResponse> => {
    const { ownerStoredBytesMax: max } = request;
    const inputs = request.inputs.map((bytes) => parseSmallInput(decodeInput(bytes)));
    const rooms = await createSmallInputs(ports, inputs, max === undefined ? undefined : Number(max));
    return { rooms: [...rooms].map(([ownerId, bytes]) => ({ ownerId, roomBytes: BigInt(bytes) })) };
  };
}

/** @throws ServiceError UPLOAD_INVALID */
function decodeInput(bytes: Uint8Array): results.CreateSmallInputRequest {
  try {
    return results.CreateSmallInputRequest.decode(bytes);
  } catch (cause) {
    throw fail('UPLOAD_INVALID', { message: 'An input is not what its message says', cause });
  }
}
