import type { User } from '../user/user.js';

/** Users whom a setting names: local users by their names, users of the realm by `sso:` and their names. */
export interface NamedUsers {
  has(user: Pick<User, 'username' | 'provider'>): boolean;
  /** Whether a local user of this name would be one: nobody may register under it. */
  hasLocalName(username: string): boolean;
}

const SSO_PREFIX = 'sso:';

/** @param names - as in AUTH_OPERATORS or AUTH_TEACHERS */
export function readNamedUsers(names: readonly string[]): NamedUsers {
  const all = new Set(names.map((name) => name.normalize('NFKC').trim()));
  return {
    has: ({ username, provider }) => all.has(provider === 'sso' ? `${SSO_PREFIX}${username}` : username),
    hasLocalName: (username) => all.has(username),
  };
}

/** The role in access tokens; a user has at most one. An operator may do what a teacher may. */
export type Role = 'operator' | 'teacher';

/** Whom the configuration gives a role. */
export interface Roles {
  readonly operators: NamedUsers;
  readonly teachers: NamedUsers;
}

/** The role of a user. @param claimed - what the realm said when his session began */
export function roleOf(
  { operators, teachers }: Roles,
  user: Pick<User, 'username' | 'provider'>,
  claimed: Role | undefined,
): Role | undefined {
  if (claimed === 'operator' || operators.has(user)) return 'operator';
  return claimed === 'teacher' || teachers.has(user) ? 'teacher' : undefined;
}

/** Whether a local user of this name would have a role. */
export const isReservedName = ({ operators, teachers }: Roles, username: string): boolean =>
  operators.hasLocalName(username) || teachers.hasLocalName(username);
