import type { FieldFault } from '@tally/service-kit';

/** Longest address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
const LENGTH_MAX = 254;
/** One address without comments, quotes or a second one: what mail servers of users have, and nothing that could become a header. */
const FORM = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?$/u;

/** An address as it is kept. */
export const normalizeEmail = (text: string): string => text.normalize('NFC').trim();

/** What is wrong with a normalized address; undefined: nothing. */
export function emailFault(email: string): FieldFault | undefined {
  if (email === '') return { field: 'email', message: 'is required' };
  if (email.length > LENGTH_MAX) return { field: 'email', message: `must have at most ${LENGTH_MAX} characters` };
  return FORM.test(email) && !email.includes('..')
    ? undefined
    : { field: 'email', message: 'must be an e-mail address such as ada@example.org' };
}
