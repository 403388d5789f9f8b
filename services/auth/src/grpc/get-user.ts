import type { auth } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import type { UserStore } from '../domain/ports.js';
import { getUser } from '../domain/user/get-user.js';
import { toUser } from './mappers.js';

/** GetUser. */
export function getUserRpc(ports: { readonly users: UserStore }) {
  return async (): Promise<auth.GetUserResponse> => ({ user: toUser(await getUser(ports, actingUser())) });
}
