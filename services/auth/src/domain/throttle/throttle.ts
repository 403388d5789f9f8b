import { createHash } from 'node:crypto';
import { hasReason } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { ThrottlePermit, ThrottleStore } from '../ports.js';
import type { ThrottleCount } from './throttle-count.js';
import { throttledAddress } from './throttled-address.js';

/** Limits, see the configuration. */
export interface ThrottleLimits {
  readonly windowMs: number;
  readonly failuresPerUserMax: number;
  readonly failuresPerAddressMax: number;
  readonly registrationsPerAddressMax: number;
  readonly knownAddressMs: number;
}

/** What throttling needs. */
export interface ThrottlePorts {
  readonly throttles: ThrottleStore;
  readonly limits: ThrottleLimits;
}

/** Attempts that have been counted in advance. */
export interface Permit {
  /** The attempt was no failure: does not count. */
  giveBack(): Promise<void>;
}

const sha256 = (...parts: string[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(parts.join('\0')).digest());

/**
 * Counts an attempt in all of the counts or in none.
 * @throws ServiceError THROTTLED with the rest of the window that is used up
 */
async function takeAll(throttles: ThrottleStore, counts: readonly ThrottleCount[], now: Date): Promise<Permit> {
  const taken: { count: ThrottleCount; permit: ThrottlePermit }[] = [];
  const giveBack = async (): Promise<void> => {
    for (const { count, permit } of taken) await throttles.giveBack(count.scope, count.subject, permit.windowEndsAt);
  };
  for (const count of counts) {
    const permit = await throttles.take(count, now);
    if (!permit.isGranted) {
      await giveBack();
      throw fail('THROTTLED', { retryAfterMs: Math.max(1_000, permit.windowEndsAt.getTime() - now.getTime()) });
    }
    taken.push({ count, permit });
  }
  return { giveBack };
}

/**
 * Counts a login as failed before the password is compared, so that concurrent attempts cannot pass the limit; the caller gives
 * a successful one back. An attacker's address count therefore stays what it is when one login succeeds. An address from
 * which the user has logged in has a count of its own for that user: who tries the user's name from elsewhere uses up
 * only the count of elsewhere.
 * @throws ServiceError THROTTLED
 */
export async function takeLoginAttempt(
  { throttles, limits }: ThrottlePorts,
  username: string,
  remoteAddress: string,
  now: Date,
): Promise<Permit> {
  const { windowMs, failuresPerUserMax, failuresPerAddressMax, knownAddressMs } = limits;
  const address = throttledAddress(remoteAddress);
  const since = new Date(now.getTime() - knownAddressMs);
  const isKnown = await throttles.isKnownAddress(username, sha256(address), since);
  const subject = isKnown ? sha256(username, address) : sha256(username);
  return takeAll(
    throttles,
    [
      { scope: 'login_address', subject: sha256(address), attemptsMax: failuresPerAddressMax, windowMs },
      { scope: 'login_user', subject, attemptsMax: failuresPerUserMax, windowMs },
    ],
    now,
  );
}

/** Notes that the user has logged in from the address. */
export async function saveKnownAddress(
  { throttles }: ThrottlePorts,
  userId: bigint,
  remoteAddress: string,
  now: Date,
): Promise<void> {
  await throttles.saveKnownAddress(userId, sha256(throttledAddress(remoteAddress)), now);
}

/** Counts a registration, successful or not. @throws ServiceError THROTTLED */
export async function takeRegistration(
  { throttles, limits }: ThrottlePorts,
  remoteAddress: string,
  now: Date,
): Promise<void> {
  const { windowMs, registrationsPerAddressMax: attemptsMax } = limits;
  const subject = sha256(throttledAddress(remoteAddress));
  await takeAll(throttles, [{ scope: 'registration_address', subject, attemptsMax, windowMs }], now);
}

/** Counts a password change as failed; the caller gives a successful one back. @throws ServiceError THROTTLED */
export function takePasswordChange({ throttles, limits }: ThrottlePorts, userId: bigint, now: Date): Promise<Permit> {
  const { windowMs, failuresPerUserMax: attemptsMax } = limits;
  return takeAll(throttles, [{ scope: 'password_user', subject: sha256(String(userId)), attemptsMax, windowMs }], now);
}

/**
 * Does what an attempt was counted for. Only what ends with the named reason stays counted as a failure: not a success,
 * and not a fault of ours or a full queue, after which no more is known about the password than before.
 */
export async function countingOnly<T>(reason: string, attempt: Permit, work: () => Promise<T>): Promise<T> {
  let isCounted = false;
  try {
    return await work();
  } catch (err) {
    isCounted = hasReason(err, reason);
    throw err;
  } finally {
    if (!isCounted) await attempt.giveBack();
  }
}
