import type { User } from '../user/user.js';

/** Whom the configuration names as operators: local users by their names, users of the realm by `sso:` and their names. */
export interface Operators {
  has(user: Pick<User, 'username' | 'provider'>): boolean;
  /** Whether a local user of this name would be one: nobody may register under it. */
  hasLocalName(username: string): boolean;
}

const SSO_PREFIX = 'sso:';

/** @param names - as in AUTH_OPERATORS */
export function readOperators(names: readonly string[]): Operators {
  const all = new Set(names.map((name) => name.normalize('NFKC').trim()));
  return {
    has: ({ username, provider }) => all.has(provider === 'sso' ? `${SSO_PREFIX}${username}` : username),
    hasLocalName: (username) => all.has(username),
  };
}

/** The role in access tokens. */
export const OPERATOR_ROLE = 'operator';
