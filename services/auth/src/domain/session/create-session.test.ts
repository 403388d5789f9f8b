import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tally/service-kit';
import type { AuditEvent, AuditFacts } from '../audit.js';
import { createSecretBox } from '../key/secret-box.js';
import { PendingAttempts } from '../throttle/pending-attempts.js';
import { HashQueue } from '../user/hash-queue.js';
import { createPasswords } from '../user/password.js';
import { type CreateSessionPorts, createSession } from './create-session.js';

const mira = { id: 1n, username: 'mira', provider: 'local', displayName: '' } as const;
const unused = () => Promise.reject(new Error('not part of a login'));

/** A login against one user, mira with password `right`; counts the comparisons of bcrypt and the calls of the stores. */
async function loginCounting(username: string, password: string, compareFault?: Error) {
  const calls: string[] = [];
  const counted =
    <T>(name: string, result: T) =>
    async (): Promise<T> => {
      calls.push(name);
      return result;
    };
  const bcrypt = {
    hash: async (text: string) => `hash of ${text}`,
    compare: async (text: string, hash: string) => {
      calls.push('bcrypt.compare');
      if (compareFault !== undefined) throw compareFault;
      return hash === `hash of ${text}`;
    },
    getRounds: () => 12,
  };
  const events: [AuditEvent, AuditFacts][] = [];
  const ports: CreateSessionPorts = {
    users: {
      find: unused,
      findPasswordHash: unused,
      createLocal: unused,
      saveSso: unused,
      rebindSso: unused,
      isSso: unused,
      findEmail: unused,
      confirmEmail: unused,
      removeEmail: unused,
      resetPassword: unused,
      rehash: unused,
      update: unused,
      findLocal: async (name) => {
        calls.push('users.findLocal');
        return name === 'mira' ? { user: mira, passwordHash: 'hash of right' } : undefined;
      },
    },
    sessions: {
      create: counted('sessions.create', true),
      findLive: unused,
      extendAccess: unused,
      end: unused,
      endByRefreshToken: unused,
      endAll: unused,
      listLive: unused,
      listEnded: unused,
      deleteExpired: unused,
    },
    throttles: {
      take: counted('throttles.take', { isGranted: true, windowEndsAt: new Date() }),
      giveBack: counted('throttles.giveBack', undefined),
      isKnownAddress: counted('throttles.isKnownAddress', false),
      saveKnownAddress: counted('throttles.saveKnownAddress', undefined),
      deleteExpired: unused,
      deleteKnownAddresses: unused,
    },
    limits: {
      windowMs: 1_000,
      failuresPerUserMax: 1,
      failuresPerAddressMax: 1,
      unknownNamesPerUserMax: 10,
      registrationsPerAddressMax: 1,
      knownAddressMs: 1_000,
    },
    pending: new PendingAttempts(),
    box: createSecretBox([{ id: 'first', key: Buffer.alloc(32) }]),
    passwords: await createPasswords(
      bcrypt,
      12,
      new HashQueue({ runningMax: 1, waitingMax: 1, waitingPerLaneMax: 1 }, { monotonicMs: () => 0 }),
    ),
    accessTokens: { issue: async () => ({ token: 'token', expiresAt: new Date() }) },
    refreshMs: 1_000,
    audit: (event, facts) => events.push([event, facts]),
    clock: systemClock,
  };
  const outcome = await createSession(ports, { username, password, remoteAddress: '192.0.2.1', deviceToken: '' }).then(
    () => 'OK',
    (err: Error) => err.message,
  );
  return { calls, events, outcome };
}

describe('a login', () => {
  it('takes the same steps, one bcrypt comparison among them, for a wrong password and an unknown user', async () => {
    const wrong = await loginCounting('mira', 'wrong');
    const unknown = await loginCounting('nobody', 'wrong');
    const impossible = await loginCounting('no\0body', 'wrong');
    expect(wrong.calls.filter((call) => call === 'bcrypt.compare')).toHaveLength(1);
    expect(unknown.calls).toEqual(wrong.calls);
    expect(impossible.calls).toEqual(wrong.calls);
    expect([unknown.outcome, impossible.outcome]).toEqual([wrong.outcome, wrong.outcome]);
  });

  it('takes one comparison when it succeeds, and gives both counts back', async () => {
    const { calls, outcome } = await loginCounting('mira', 'right');
    expect(outcome).toBe('OK');
    expect(calls.filter((call) => call === 'bcrypt.compare')).toHaveLength(1);
    expect(calls.filter((call) => call === 'throttles.giveBack')).toHaveLength(2);
  });

  it('is no failure of the user when nobody could look at the password', async () => {
    const { calls, outcome } = await loginCounting('mira', 'right', new Error('a thread has ended'));
    expect(outcome).toBe('a thread has ended');
    expect(calls.filter((call) => call === 'throttles.giveBack')).toHaveLength(2);
    const wrong = await loginCounting('mira', 'wrong');
    expect(wrong.calls).not.toContain('throttles.giveBack');
  });

  it('names nobody unknown in its audit line', async () => {
    const { events } = await loginCounting('my password', 'wrong');
    expect(events).toEqual([
      ['auth.session.refused', { provider: 'local', address: '192.0.2.1', reason: 'CREDENTIALS_WRONG' }],
    ]);
  });
});
