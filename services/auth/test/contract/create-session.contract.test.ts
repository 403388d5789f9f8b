import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { type AuthFixture, login, PASSWORD, register, startAuthFixture, verify } from '../auth-fixture.js';

const WINDOW_MS = 900_000;
const clock = fakeClock(new Date('2026-06-01T12:00:00.500Z'));
let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({ failuresPerUserMax: 3, failuresPerAddressMax: 6 }, clock);
  await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

/** Tries a login and gives the reason of the refusal. */
const attempt = (username: string, password: string, address: string): Promise<string> =>
  login(fixture, username, password, address).then(
    () => 'OK',
    (err: { reason: string }) => err.reason,
  );

describe('CreateSession OK', () => {
  it('gives an ES256 token for 10 minutes and a refresh token for 120', async () => {
    const session = await login(fixture, 'mira');
    expect(session.accessExpiresAt).toEqual(new Date('2026-06-01T12:10:00Z'));
    expect(session.refreshExpiresAt).toEqual(new Date('2026-06-01T14:00:00.500Z'));
    expect(session.refreshToken).toMatch(/^[A-Za-z0-9_-]{43}$/); // 256 bits
    expect(await verify(fixture, session.accessToken)).toEqual({
      sub: String(session.user?.userId),
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider: 'local',
      username: 'mira',
      iat: Date.parse('2026-06-01T12:00:00Z') / 1000,
      exp: Date.parse('2026-06-01T12:10:00Z') / 1000,
      iss: 'tally-auth',
      aud: 'tally-gateway',
    });
  });

  it('gives every login a session and tokens of its own', async () => {
    const [first, second] = [await login(fixture, 'mira'), await login(fixture, 'mira')];
    expect(first.refreshToken).not.toBe(second.refreshToken);
    expect((await verify(fixture, first.accessToken)).sid).not.toBe((await verify(fixture, second.accessToken)).sid);
  });
});

describe('CreateSession OK after a change of AUTH_BCRYPT_COST', () => {
  it('brings the hash to the new cost, so that its comparison takes as long as that for unknown users', async () => {
    await register(fixture, 'costly');
    const copy = await fixture.addCopy({ bcryptCost: 5 });
    const hash = async () => {
      const rows = await fixture.query("SELECT password_hash FROM users WHERE username = 'costly'");
      return String(rows[0]?.password_hash);
    };
    expect(await hash()).toMatch(/^\$2b\$04\$/);
    await login(copy, 'costly', 'wrong password').catch(() => undefined);
    expect(await hash()).toMatch(/^\$2b\$04\$/);
    await login(copy, 'costly');
    expect(await hash()).toMatch(/^\$2b\$05\$/);
    await login(copy, 'costly');
  });
});

describe('CreateSession UNAUTHENTICATED', () => {
  it('says the same of an unknown user and of a wrong password', async () => {
    const refusals = await Promise.all(
      [
        ['mira', 'not the password'],
        ['nobody', PASSWORD],
        ['', PASSWORD],
        ['no\0body', PASSWORD],
        ['x'.repeat(500), PASSWORD],
      ].map(([username = '', password]) =>
        login(fixture, username, password, `198.51.100.${username.length % 250}`).catch((err: unknown) => err),
      ),
    );
    for (const err of refusals) {
      expect(err).toMatchObject({
        status: 'UNAUTHENTICATED',
        reason: 'CREDENTIALS_WRONG',
        message: 'Invalid credentials',
        fields: [],
      });
    }
  });

  it('compares the whole password, also beyond what bcrypt reads', async () => {
    const longest = 'p'.repeat(72);
    await register(fixture, 'longest', longest);
    expect(await attempt('longest', `${longest}x`, '203.0.113.1')).toBe('CREDENTIALS_WRONG');
    await register(fixture, 'zero', 'before\0after');
    expect(await attempt('zero', 'before\0other', '203.0.113.1')).toBe('CREDENTIALS_WRONG');
    expect(await attempt('zero', 'before\0after', '203.0.113.1')).toBe('OK');
  });

  it('leaves an audit line, without the name of an unknown user, which may be a password', async () => {
    await attempt('hunter2-typed-as-name', 'hunter3-typed-as-password', '203.0.113.2');
    await attempt('mira', 'hunter4-typed-as-password', '203.0.113.2');
    const refused = fixture.audit().filter((line) => line.address === '203.0.113.2');
    expect(refused).toMatchObject([
      { event: 'auth.session.refused', reason: 'CREDENTIALS_WRONG' },
      { event: 'auth.session.refused', reason: 'CREDENTIALS_WRONG', username: 'mira' },
    ]);
    expect(fixture.lines.join('')).not.toMatch(/hunter\d/);
  });
});

describe('CreateSession RESOURCE_EXHAUSTED', () => {
  it('counts failures of a user over all unknown addresses, and only for a window', async () => {
    await register(fixture, 'target');
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) {
      expect(await attempt('target', 'wrong password', address)).toBe('CREDENTIALS_WRONG');
    }
    const err = await login(fixture, 'target', PASSWORD, '10.0.0.4').catch((thrown: unknown) => thrown);
    expect(err).toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'THROTTLED', retryAfterMs: WINDOW_MS });
    await clock.advance(WINDOW_MS - 1);
    expect(await attempt('target', PASSWORD, '10.0.0.4')).toBe('THROTTLED'); // refusals do not prolong it
    await clock.advance(1);
    expect(await attempt('target', PASSWORD, '10.0.0.4')).toBe('OK');
  });

  it('leaves the victim a way in from a known address', async () => {
    await register(fixture, 'victim');
    expect(await attempt('victim', PASSWORD, '10.1.0.1')).toBe('OK');
    for (let i = 0; i < 5; i++) await attempt('victim', 'wrong password', `10.1.1.${i}`);
    expect(await attempt('victim', PASSWORD, '10.1.1.9')).toBe('THROTTLED');
    expect(await attempt('victim', PASSWORD, '10.1.0.1')).toBe('OK');
  });

  it('is the same for names that do not exist', async () => {
    for (let i = 0; i < 3; i++) expect(await attempt('ghost', PASSWORD, `10.2.0.${i}`)).toBe('CREDENTIALS_WRONG');
    expect(await attempt('ghost', PASSWORD, '10.2.0.9')).toBe('THROTTLED');
  });

  it('counts failures of an address over all names, and a success does not clear them', async () => {
    for (let i = 0; i < 5; i++) expect(await attempt(`guess-${i}`, PASSWORD, '10.3.0.1')).toBe('CREDENTIALS_WRONG');
    expect(await attempt('mira', PASSWORD, '10.3.0.1')).toBe('OK');
    expect(await attempt('guess-5', PASSWORD, '10.3.0.1')).toBe('CREDENTIALS_WRONG');
    expect(await attempt('mira', PASSWORD, '10.3.0.1')).toBe('THROTTLED');
    expect(await attempt('mira', PASSWORD, '10.3.0.2')).toBe('OK');
  });

  it('lets no more through when many come at once', async () => {
    await register(fixture, 'rush');
    const reasons = await Promise.all(
      Array.from({ length: 12 }, (_, i) => attempt('rush', 'wrong password', `10.4.0.${i}`)),
    );
    expect(reasons.filter((reason) => reason === 'CREDENTIALS_WRONG')).toHaveLength(3);
    expect(reasons.filter((reason) => reason === 'THROTTLED')).toHaveLength(9);
  });

  it('does not count logins that succeed', async () => {
    for (let i = 0; i < 10; i++) expect(await attempt('mira', PASSWORD, '10.5.0.1')).toBe('OK');
  });
});

/** Tries a login with the proof of a device, and gives the reason of the refusal. */
const attemptOn = (deviceToken: string, username: string, password: string, remoteAddress: string): Promise<string> =>
  fixture.gateway.createSession({ username, password, remoteAddress, deviceToken }).then(
    () => 'OK',
    (err: { reason: string }) => err.reason,
  );

describe('CreateSession of a device on which the user has logged in', () => {
  const deviceOf = async (username: string) => {
    const request = { username, password: PASSWORD, remoteAddress: '10.6.0.1', deviceToken: '' };
    const { deviceToken, deviceExpiresAt } = await fixture.gateway.createSession(request);
    expect(deviceExpiresAt).toEqual(new Date(clock.now().getTime() + 2_592_000_000));
    return deviceToken;
  };

  it('OK from anywhere, whatever fails elsewhere', async () => {
    await register(fixture, 'traveller');
    const device = await deviceOf('traveller');
    for (let i = 0; i < 5; i++) await attempt('traveller', 'wrong password', `10.6.1.${i}`);
    expect(await attempt('traveller', PASSWORD, '10.6.2.1')).toBe('THROTTLED');
    for (let i = 0; i < 7; i++) await attempt(`guess-${i}`, PASSWORD, '10.6.2.2');
    expect(await attempt('mira', PASSWORD, '10.6.2.2')).toBe('THROTTLED');
    expect(await attemptOn(device, 'traveller', PASSWORD, '10.6.2.2')).toBe('OK');
  });

  it('RESOURCE_EXHAUSTED when it fails too often itself, and of no use for another user', async () => {
    await register(fixture, 'careless');
    const device = await deviceOf('careless');
    for (let i = 0; i < 3; i++)
      expect(await attemptOn(device, 'careless', 'wrong', '10.7.0.1')).toBe('CREDENTIALS_WRONG');
    expect(await attemptOn(device, 'careless', PASSWORD, '10.7.0.1')).toBe('THROTTLED');
    for (let i = 0; i < 3; i++) await attempt('target-2', 'wrong', `10.7.1.${i}`);
    expect(await attemptOn(device, 'target-2', 'wrong', '10.7.2.1')).toBe('THROTTLED');
  });
});

describe('CreateSession of many at once', () => {
  it('OK for each with the right password: none counts as a failure while it is checked', async () => {
    await register(fixture, 'crowd');
    const copy = await fixture.addCopy({ hashesAtOnceMax: 8, hashesWaitingMax: 100, hashesWaitingPerAddressMax: 100 });
    const logins = Array.from({ length: 60 }, () => login(copy, 'crowd', PASSWORD, '10.8.0.1'));
    const outcomes = await Promise.allSettled(logins);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    await copy.stop();
  });
});

describe('CreateSession of a user name', () => {
  it('OK however it is typed: NFKC, without blanks around it', async () => {
    await register(fixture, ' ｎora ');
    for (const typed of ['nora', 'nora ', 'ｎｏｒａ', '\u00a0nora'])
      expect(await attempt(typed, PASSWORD, '10.9.0.1')).toBe('OK');
    expect((await login(fixture, 'ｎora')).user?.username).toBe('nora');
    const again = await register(fixture, 'nora\u3000').catch((err: unknown) => err);
    expect(again).toMatchObject({ reason: 'USERNAME_TAKEN' });
    const hidden = await register(fixture, 'no\u200bra').catch((err: unknown) => err);
    expect(hidden).toMatchObject({ reason: 'FIELDS_INVALID', fields: [{ field: 'username' }] });
  });
});
