import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { type AuthFixture, as, register, startAuthFixture } from '../auth-fixture.js';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.stop());

describe('GetUser OK', () => {
  it('gives the acting user', async () => {
    const userId = await register(fixture, 'mira');
    expect(await as(userId, () => fixture.gateway.getUser({}))).toEqual({
      user: { userId, username: 'mira', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' },
    });
  });
});

describe('GetUser NOT_FOUND', () => {
  it('says that there is no such user', async () => {
    await expect(as(999_999n, () => fixture.gateway.getUser({}))).rejects.toMatchObject({
      status: 'NOT_FOUND',
      reason: 'USER_NOT_FOUND',
    });
  });
});

describe('GetUser UNAUTHENTICATED', () => {
  it('needs an acting user', async () => {
    await expect(fixture.gateway.getUser({})).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
