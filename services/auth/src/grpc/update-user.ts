import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type UpdateUserPorts, updateUser } from '../domain/user/update-user.js';
import { toUser } from './mappers.js';

/** UpdateUser. */
export function updateUserRpc(ports: UpdateUserPorts) {
  return async (request: auth.UpdateUserRequest): Promise<auth.UpdateUserResponse> => ({
    user: toUser(await updateUser(ports, actingUser(), request)),
  });
}
