import { randomBytes } from 'node:crypto';
import { currentContext, type FieldFault } from '@tally/service-kit';
import type { HashQueue, Waiting } from './hash-queue.js';
import { lengthOf } from './user.js';

/** bcrypt reads no more than this of a password (UTF-8); a longer one would be cut without a word. */
export const PASSWORD_BYTES_MAX = 72;

/** As passwords are measured, hashed and compared: keyboards differ in how they compose a letter (NFC, UAX #15; RFC 8265 section 4.2). */
const normalized = (password: string): string => password.normalize('NFC');

const isTooLong = (password: string): boolean => Buffer.byteLength(normalized(password)) > PASSWORD_BYTES_MAX;

/** What is wrong with a new password; undefined: nothing. */
export function passwordFault(password: string, lengthMin: number, field = 'password'): FieldFault | undefined {
  if (password === '') return { field, message: 'is required' };
  if (lengthOf(normalized(password)) < lengthMin)
    return { field, message: `must have at least ${lengthMin} characters` };
  if (isTooLong(password)) return { field, message: `must have at most ${PASSWORD_BYTES_MAX} bytes` };
  return undefined;
}

/** What is used of bcrypt; off the event loop. */
export interface Bcrypt {
  hash(password: string, cost: number): Promise<string>;
  compare(password: string, hash: string): Promise<boolean>;
  /** Cost of a hash. */
  getRounds(hash: string): number;
}

/** Hashes and compares passwords. */
export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /**
   * Whether the password has this hash. Takes one bcrypt comparison in every case: without a hash (unknown user) and for
   * a password that bcrypt would cut, it compares with a hash that no password has, and the result is false.
   */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  /** Whether the hash has another cost than new ones, and a comparison with it another duration. */
  isOutdated(hash: string): boolean;
}

/** Hashes, for whoever has waited for a turn. */
export interface Passwords {
  /** Does the work when it is its turn. @throws ServiceError LOGINS_BUSY, and what `work` throws */
  inTurn<T>(waiting: Waiting, work: (hashes: PasswordHashes) => Promise<T>): Promise<T>;
}

/**
 * Passwords by bcrypt, no more at once than `queue` lets through.
 * @param cost - of new hashes; also of the one for unknown users, so that both take equally long
 */
export async function createPasswords(bcrypt: Bcrypt, cost: number, queue: HashQueue): Promise<Passwords> {
  const unmatchedHash = await bcrypt.hash(randomBytes(32).toString('base64url'), cost);
  const hashes: PasswordHashes = {
    hash: (password) => bcrypt.hash(normalized(password), cost),
    async matches(password, hash) {
      const isHopeless = hash === undefined || isTooLong(password);
      const isEqual = await bcrypt.compare(normalized(password), isHopeless ? unmatchedHash : hash);
      return isEqual && !isHopeless;
    },
    isOutdated: (hash) => bcrypt.getRounds(hash) !== cost,
  };
  return { inTurn: (waiting, work) => queue.run(waiting, () => work(hashes), currentContext()?.signal) };
}
