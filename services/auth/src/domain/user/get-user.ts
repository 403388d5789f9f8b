import { fail } from '../errors.js';
import type { UserStore } from '../ports.js';
import type { User } from './user.js';

/** The acting user. @throws ServiceError USER_NOT_FOUND */
export async function getUser({ users }: { readonly users: UserStore }, userId: bigint): Promise<User> {
  const user = await users.find(userId);
  if (user === undefined) throw fail('USER_NOT_FOUND');
  return user;
}
