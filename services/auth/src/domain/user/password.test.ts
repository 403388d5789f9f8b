import { describe, expect, it } from '@jest/globals';
import { HashQueue } from './hash-queue.js';
import { createPasswords, passwordFault } from './password.js';

/** Counts instead of computing: the hash of a password is `hash of <password>`. */
async function countedPasswords() {
  const calls = { hash: 0, compared: [] as string[] };
  const bcrypt = {
    getRounds: () => 12,
    hash: async (password: string) => {
      calls.hash++;
      return `hash of ${password}`;
    },
    compare: async (password: string, hash: string) => {
      calls.compared.push(hash);
      return hash === `hash of ${password}`;
    },
  };
  const queue = new HashQueue({ runningMax: 1, waitingMax: 10, waitingPerLaneMax: 10 }, { monotonicMs: () => 0 });
  const passwords = await createPasswords(bcrypt, 12, queue);
  const matches = (password: string, hash: string | undefined) =>
    passwords.inTurn({ lane: '', isKnown: false }, (hashes) => hashes.matches(password, hash));
  return { calls, passwords: { matches } };
}

describe('a comparison', () => {
  it('runs bcrypt once for right, wrong and too long passwords and for unknown users', async () => {
    const long = 'x'.repeat(73);
    const table: [string, string | undefined, boolean][] = [
      ['right', 'hash of right', true],
      ['wrong', 'hash of right', false],
      ['any', undefined, false],
      [long, `hash of ${long}`, false],
    ];
    for (const [password, hash, expected] of table) {
      const { calls, passwords } = await countedPasswords();
      expect(await passwords.matches(password, hash)).toBe(expected);
      expect(calls.compared).toHaveLength(1);
      expect(calls.hash).toBe(1); // the one for unknown users, at the start
    }
  });

  it('takes a letter and its accent for the letter with it, as other keyboards write it', async () => {
    const { passwords } = await countedPasswords();
    expect(await passwords.matches('cafe\u0301 noir', 'hash of caf\u00e9 noir')).toBe(true);
  });

  it('says no for an unknown user whatever the password', async () => {
    const { calls, passwords } = await countedPasswords();
    await passwords.matches('first', undefined);
    const nobodys = calls.compared[0]?.replace('hash of ', '') ?? '';
    expect(await passwords.matches(nobodys, undefined)).toBe(false);
  });
});

describe('a new password', () => {
  it.each([
    ['12345678', undefined],
    ['1234567', 'must have at least 8 characters'],
    ['', 'is required'],
    ['€'.repeat(24), undefined],
    ['€'.repeat(24) + 'x', 'must have at most 72 bytes'],
  ])('%j: %s', (password, message) => {
    expect(passwordFault(password, 8)?.message).toBe(message);
  });
});
