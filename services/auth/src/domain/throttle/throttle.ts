import { createHash } from 'node:crypto';
import { clientNetwork, hasReason } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { ThrottlePermit, ThrottleStore } from '../ports.js';
import type { PendingAttempts } from './pending-attempts.js';
import type { ThrottleCount } from './throttle-count.js';

/** Limits, see the configuration. */
export interface ThrottleLimits {
  readonly windowMs: number;
  readonly failuresPerUserMax: number;
  readonly failuresPerAddressMax: number;
  readonly registrationsPerAddressMax: number;
  readonly unknownNamesPerUserMax: number;
  readonly knownAddressMs: number;
}

/** What throttling needs. */
export interface ThrottlePorts {
  readonly throttles: ThrottleStore;
  readonly limits: ThrottleLimits;
  /** Of this copy of the service. */
  readonly pending: PendingAttempts;
}

/** Attempts that have been counted in advance. */
export interface Permit {
  /** The attempt was no failure: does not count. */
  giveBack(): Promise<void>;
  /** It is known what the attempt was: those who wait for that go on. */
  decided(): void;
}

const sha256 = (...parts: string[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(parts.join('\0')).digest());

/**
 * Counts an attempt in all of the counts or in none. While attempts that are being checked here take the last places, this
 * waits for what they turn out to be: right passwords that come at the same time are not refused.
 * @throws ServiceError THROTTLED with the rest of the window that is used up
 */
async function takeAll(
  { throttles, pending }: ThrottlePorts,
  counts: readonly ThrottleCount[],
  now: Date,
): Promise<Permit> {
  for (;;) {
    const decidedBefore = pending.decidedCount;
    const attempt = pending.begin(counts.map(keyOf)); // before the database knows of it: nobody finds it full for no reason
    const taken = await tryTakeAll(throttles, counts, now);
    if (taken.giveBack !== undefined) return { giveBack: taken.giveBack, decided: attempt.decided };
    attempt.refused();
    const other = pending.next(keyOf(taken.count));
    if (other === undefined && pending.decidedCount === decidedBefore) {
      throw fail('THROTTLED', { retryAfterMs: Math.max(1_000, taken.windowEndsAt.getTime() - now.getTime()) });
    }
    await other;
  }
}

const keyOf = ({ scope, subject }: ThrottleCount) => `${scope} ${Buffer.from(subject).toString('base64')}`;

/** What was counted, or the count that is used up. */
async function tryTakeAll(throttles: ThrottleStore, counts: readonly ThrottleCount[], now: Date) {
  const taken: { count: ThrottleCount; permit: ThrottlePermit }[] = [];
  const giveBack = async (): Promise<void> => {
    for (const { count, permit } of taken) await throttles.giveBack(count.scope, count.subject, permit.windowEndsAt);
  };
  for (const count of counts) {
    const permit = await throttles.take(count, now);
    if (!permit.isGranted) {
      await giveBack();
      return { count, windowEndsAt: permit.windowEndsAt };
    }
    taken.push({ count, permit });
  }
  return { giveBack };
}

/** Who tries to log in. */
export interface LoginAttempt {
  /** Normalized. */
  readonly username: string;
  readonly remoteAddress: string;
  /** Of the device that has proven that the user has logged in on it. */
  readonly deviceId: string | undefined;
}

/**
 * Counts a login as failed before the password is compared, so that concurrent attempts cannot pass the limit; the caller gives
 * a successful one back. An attacker's address count therefore stays what it is when one login succeeds. A device on which
 * the user has logged in has a count of its own and no other; an address from which the user has, one of its own for that
 * user: who tries the user's name from elsewhere uses up only the count of elsewhere.
 * @throws ServiceError THROTTLED
 */
export async function takeLoginAttempt(ports: ThrottlePorts, attempt: LoginAttempt, now: Date): Promise<Permit> {
  const { windowMs, failuresPerUserMax, failuresPerAddressMax, knownAddressMs } = ports.limits;
  const { username, deviceId } = attempt;
  const ofUser = (...subject: string[]) =>
    ({ scope: 'login_user', subject: sha256(...subject), attemptsMax: failuresPerUserMax, windowMs }) as const;
  if (deviceId !== undefined) return takeAll(ports, [ofUser(username, 'device', deviceId)], now);
  const address = clientNetwork(attempt.remoteAddress);
  const since = new Date(now.getTime() - knownAddressMs);
  const isKnown = await ports.throttles.isKnownAddress(username, sha256(address), since);
  const ofAddress = { subject: sha256(address), attemptsMax: failuresPerAddressMax, windowMs };
  const subject = isKnown ? ofUser(username, address) : ofUser(username);
  return takeAll(ports, [{ ...ofAddress, scope: 'login_address' }, subject], now);
}

/** Notes that the user has logged in from the address. */
export async function saveKnownAddress(
  { throttles }: ThrottlePorts,
  userId: bigint,
  remoteAddress: string,
  now: Date,
): Promise<void> {
  await throttles.saveKnownAddress(userId, sha256(clientNetwork(remoteAddress)), now);
}

/** Counts a registration, successful or not. @throws ServiceError THROTTLED */
export async function takeRegistration(ports: ThrottlePorts, remoteAddress: string, now: Date): Promise<void> {
  const { windowMs, registrationsPerAddressMax: attemptsMax } = ports.limits;
  const subject = sha256(clientNetwork(remoteAddress));
  const attempt = await takeAll(ports, [{ scope: 'registration_address', subject, attemptsMax, windowMs }], now);
  attempt.decided();
}

/** Counts a use of a link from an address, whether or not there is such a link. @throws ServiceError THROTTLED */
export async function takeLinkUse(ports: ThrottlePorts, remoteAddress: string, now: Date): Promise<void> {
  const { windowMs, registrationsPerAddressMax: attemptsMax } = ports.limits;
  const subject = sha256(clientNetwork(remoteAddress));
  const attempt = await takeAll(ports, [{ scope: 'link_address', subject, attemptsMax, windowMs }], now);
  attempt.decided();
}

/**
 * Counts a request for a link to a new password, by the name and by the address that asks, whether or not there is such a user.
 * @throws ServiceError THROTTLED
 */
export async function takeResetRequest(
  ports: ThrottlePorts,
  username: string,
  remoteAddress: string,
  now: Date,
): Promise<void> {
  const { windowMs, failuresPerUserMax, failuresPerAddressMax } = ports.limits;
  const counts = [
    {
      scope: 'reset_address',
      subject: sha256(clientNetwork(remoteAddress)),
      attemptsMax: failuresPerAddressMax,
      windowMs,
    },
    { scope: 'reset_user', subject: sha256(username), attemptsMax: Math.min(MAILS_MAX, failuresPerUserMax), windowMs },
  ] as const;
  const attempt = await takeAll(ports, counts, now);
  attempt.decided();
}

/** Mails in a window that anybody can make us send to one address: nobody's mailbox is flooded through us. */
const MAILS_MAX = 5;

/** Counts a mail to an address that is not confirmed, by its user and by the address. @throws ServiceError THROTTLED */
export async function takeEmailChange(ports: ThrottlePorts, userId: bigint, email: string, now: Date): Promise<void> {
  const { windowMs } = ports.limits;
  const counts = [
    { scope: 'email_user', subject: sha256(String(userId)), attemptsMax: MAILS_MAX, windowMs },
    { scope: 'email_address', subject: sha256(email.toLowerCase()), attemptsMax: MAILS_MAX, windowMs },
  ] as const;
  const attempt = await takeAll(ports, counts, now);
  attempt.decided();
}

/** Counts a password change as failed; the caller gives a successful one back. @throws ServiceError THROTTLED */
export function takePasswordChange(ports: ThrottlePorts, userId: bigint, now: Date): Promise<Permit> {
  const { windowMs, failuresPerUserMax: attemptsMax } = ports.limits;
  return takeAll(ports, [{ scope: 'password_user', subject: sha256(String(userId)), attemptsMax, windowMs }], now);
}

/** Counts a search for a user's name as one that found nobody; the caller gives others back. @throws ServiceError THROTTLED */
export function takeNameSearch(ports: ThrottlePorts, userId: bigint, now: Date): Promise<Permit> {
  const { windowMs, unknownNamesPerUserMax: attemptsMax } = ports.limits;
  return takeAll(ports, [{ scope: 'name_user', subject: sha256(String(userId)), attemptsMax, windowMs }], now);
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
    try {
      if (!isCounted) await attempt.giveBack();
    } finally {
      attempt.decided();
    }
  }
}
