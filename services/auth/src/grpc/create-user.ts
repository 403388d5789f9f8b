import type { auth } from '@tally/contracts';
import { type CreateUserPorts, createUser } from '../domain/user/create-user.js';
import { toUser } from './mappers.js';

/** CreateUser. */
export function createUserRpc(ports: CreateUserPorts) {
  return async (request: auth.CreateUserRequest): Promise<auth.CreateUserResponse> => ({
    user: toUser(await createUser(ports, request)),
  });
}
