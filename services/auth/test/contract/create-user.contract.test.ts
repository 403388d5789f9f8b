import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { createGrpcClient } from '@tally/service-kit';
import { testCallers, testCallerToken } from '@tally/testkit';
import { ADDRESS, type AuthFixture, login, PASSWORD, register, startAuthFixture } from '../auth-fixture.js';
import { startTestAuth } from '../start.js';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.stop());

const create = (username: string, password = PASSWORD, remoteAddress = ADDRESS) =>
  fixture.gateway.createUser({ username, password, remoteAddress });

describe('CreateUser OK', () => {
  it('creates a local user who can log in', async () => {
    const { user } = await create('Mira Müller');
    expect(user).toMatchObject({
      username: 'Mira Müller',
      provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL,
      displayName: '',
    });
    expect((await login(fixture, 'Mira Müller')).user).toEqual(user);
  });

  it('tells names apart exactly', async () => {
    const ids = [await register(fixture, 'exact'), await register(fixture, 'Exact')];
    expect(new Set(ids).size).toBe(2);
  });

  it('takes names of 128 characters and passwords of 72 bytes', async () => {
    const password = '€'.repeat(24);
    await create('😀'.repeat(128), password);
    await login(fixture, '😀'.repeat(128), password);
  });

  it('writes an audit line without the password', async () => {
    const id = await register(fixture, 'audited', 'a secret pass phrase');
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.user.registered', user_id: String(id), username: 'audited' }),
    );
    expect(fixture.lines.join('')).not.toContain('a secret pass phrase');
  });
});

describe('CreateUser INVALID_ARGUMENT', () => {
  it.each([
    ['an empty name', '', PASSWORD, 'username'],
    ['a name of 129 characters', 'x'.repeat(129), PASSWORD, 'username'],
    ['a line break in the name', 'a\nb', PASSWORD, 'username'],
    ['a zero byte in the name', 'a\0b', PASSWORD, 'username'],
    ['an empty password', 'name', '', 'password'],
    ['a password of 7 characters', 'name', '1234567', 'password'],
    ['7 characters of two code units each', 'name', '😀'.repeat(7), 'password'],
    ['a password of 73 bytes', 'name', 'x'.repeat(73), 'password'],
    ['25 characters of three bytes each', 'name', '€'.repeat(25), 'password'],
  ])('refuses %s and names the field', async (_what, username, password, field) => {
    await expect(create(username, password)).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'FIELDS_INVALID',
      fields: [{ field }],
    });
  });

  it('names all wrong fields at once', async () => {
    await expect(create('', '')).rejects.toMatchObject({ fields: [{ field: 'username' }, { field: 'password' }] });
  });
});

describe('CreateUser ALREADY_EXISTS', () => {
  it('refuses a name that is taken, also when two ask at once', async () => {
    const both = await Promise.allSettled([create('twice'), create('twice')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(create('twice', 'another password')).rejects.toMatchObject({
      status: 'ALREADY_EXISTS',
      reason: 'USERNAME_TAKEN',
    });
    await login(fixture, 'twice'); // the first one's password holds
  });
});

describe('CreateUser PERMISSION_DENIED', () => {
  it('refuses everybody when registration is switched off', async () => {
    const closed = await fixture.addCopy({ registrationEnabled: false });
    await expect(
      closed.gateway.createUser({ username: 'late', password: PASSWORD, remoteAddress: ADDRESS }),
    ).rejects.toMatchObject({ status: 'PERMISSION_DENIED', reason: 'REGISTRATION_DISABLED' });
    expect(fixture.audit()).toContainEqual(
      expect.objectContaining({ event: 'auth.user.registration_refused', reason: 'REGISTRATION_DISABLED' }),
    );
  });

  it('refuses callers that the contract does not name', async () => {
    await expect(
      fixture.bridge.createUser({ username: 'bridge', password: PASSWORD, remoteAddress: ADDRESS }),
    ).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('CreateUser RESOURCE_EXHAUSTED', () => {
  it('limits registrations from one address', async () => {
    const strict = await fixture.addCopy({ registrationsPerAddressMax: 2 });
    const from = (username: string, remoteAddress: string) =>
      strict.gateway.createUser({ username, password: PASSWORD, remoteAddress });
    await from('flood-1', '2001:db8:1:2::1');
    await from('flood-2', '2001:db8:1:2:ffff::9');
    const err = await from('flood-3', '2001:db8:1:2:aaaa::').catch((thrown: unknown) => thrown);
    expect(err).toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'THROTTLED' });
    expect(Number((err as { retryAfterMs?: number }).retryAfterMs)).toBeGreaterThan(890_000);
    await from('flood-3', '2001:db8:1:3::1');
  });
});

describe('CreateUser RESOURCE_EXHAUSTED under load', () => {
  it('refuses at once what would wait too long for a hash', async () => {
    const busy = await startTestAuth({
      databaseUrl: fixture.databaseUrl,
      callers: testCallers('gateway'),
      encryptionKey: [{ id: 'first', key: Buffer.alloc(32) }],
      bcryptCost: 11, // 0.15 s or more: all eight are there before the first is through
      hashesAtOnceMax: 1,
      hashesWaitingMax: 1,
    });
    const gateway = createGrpcClient(auth.AuthServiceService, {
      target: `127.0.0.1:${busy.port}`,
      caller: 'gateway',
      token: testCallerToken('gateway'),
      timeoutMs: 60_000,
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        gateway.createUser({ username: `busy-${i}`, password: PASSWORD, remoteAddress: ADDRESS }),
      ),
    );
    gateway.close();
    await busy.stop();
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(8);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'LOGINS_BUSY' });
  });
});
