import type { FieldFault } from '@tally/service-kit';

/** Who vouches for the user's identity. */
export type Provider = 'local' | 'sso';

/** A user as others may see it. */
export interface User {
  readonly id: bigint;
  /** 1 to 128 characters as {@link normalizeUsername} leaves them, none invisible; unique together with the provider. */
  readonly username: string;
  readonly provider: Provider;
  /** At most 128 characters, no control characters; empty when never set. */
  readonly displayName: string;
}

const NAME_LENGTH_MAX = 128;
/** Unicode categories Cc (control) and Cs (half of a surrogate pair): neither can be stored and shown faithfully. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Length in characters (Unicode code points). */
export const lengthOf = (text: string): number => Array.from(text).length;

/** Characters without a shape of their own, or that turn the direction: two names must not look alike. UTS #39 section 3.1 */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A name as names are stored and compared: compatibility forms replaced (NFKC, UAX #15), no white space around it. */
export function normalizeUsername(username: string): string {
  return username.normalize('NFKC').trim();
}

/** What is wrong with a normalized user name; undefined: nothing. */
export function usernameFault(username: string): FieldFault | undefined {
  if (username === '') return { field: 'username', message: 'is required' };
  if (lengthOf(username) > NAME_LENGTH_MAX)
    return { field: 'username', message: `must have at most ${NAME_LENGTH_MAX} characters` };
  if (UNPRINTABLE.test(username)) return { field: 'username', message: 'must not contain control characters' };
  return INVISIBLE.test(username) ? { field: 'username', message: 'must not contain invisible characters' } : undefined;
}

/** What is wrong with a display name; undefined: nothing. */
export function displayNameFault(displayName: string): FieldFault | undefined {
  if (lengthOf(displayName) > NAME_LENGTH_MAX)
    return { field: 'display_name', message: `must have at most ${NAME_LENGTH_MAX} characters` };
  if (UNPRINTABLE.test(displayName)) return { field: 'display_name', message: 'must not contain control characters' };
  return undefined;
}
