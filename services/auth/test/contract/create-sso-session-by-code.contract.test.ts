import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import type { OidcProvider } from '@tally/testkit';
import { ADDRESS, startSsoFixture, verify } from '../auth-fixture.js';

const REFUSED = { status: 'UNAUTHENTICATED', reason: 'SSO_CODE_INVALID' };
let realm: OidcProvider;
let fixture: Awaited<ReturnType<typeof startSsoFixture>>;
beforeAll(async () => {
  fixture = await startSsoFixture();
  realm = fixture.realm;
});
afterAll(() => fixture.stop());

async function login(username: string, changed: Partial<auth.CreateSsoSessionByCodeRequest> = {}) {
  const returned = await realm.beginLogin(username);
  return fixture.gateway.createSsoSessionByCode({ ...returned, remoteAddress: ADDRESS, ...changed });
}

describe('CreateSsoSessionByCode OK', () => {
  it('logs in whom the realm gave the code for', async () => {
    const { session } = await login('mira');
    expect(session?.user).toMatchObject({ username: 'mira', provider: auth.AuthProvider.AUTH_PROVIDER_SSO });
    expect(await verify(fixture, session?.accessToken ?? '')).toMatchObject({ provider: 'sso', username: 'mira' });
  });
});

describe('CreateSsoSessionByCode UNAUTHENTICATED', () => {
  it('refuses a code that is not the realm’s, one that was begun elsewhere, and one that comes again', async () => {
    const other = 'o'.repeat(43);
    await expect(login('mira', { code: 'guess' })).rejects.toMatchObject(REFUSED);
    await expect(login('mira', { codeVerifier: other })).rejects.toMatchObject(REFUSED);
    await expect(login('mira', { redirectUri: 'http://127.0.0.1/elsewhere' })).rejects.toMatchObject(REFUSED);
    const returned = { ...(await realm.beginLogin('mira')), remoteAddress: ADDRESS };
    await fixture.gateway.createSsoSessionByCode(returned);
    await expect(fixture.gateway.createSsoSessionByCode(returned)).rejects.toMatchObject(REFUSED);
    expect(fixture.audit().at(-1)).toMatchObject({ reason: 'SSO_CODE_INVALID', provider: 'sso', address: ADDRESS });
  });

  it('refuses an ID token with another nonce, or where none was asked for', async () => {
    await expect(login('mira', { nonce: 'another-nonce-of-another-tab' })).rejects.toMatchObject(REFUSED);
    await expect(login('mira', { nonce: '' })).rejects.toMatchObject(REFUSED);
  });
});

describe('CreateSsoSessionByCode PERMISSION_DENIED', () => {
  it('is refused where the service has no client at the realm, or no realm', async () => {
    for (const overrides of [{ ssoClientId: '' }, { ssoIssuerUrl: '', ssoAudience: '' }]) {
      const copy = await fixture.addCopy(overrides);
      const returned = { ...(await realm.beginLogin('mira')), remoteAddress: ADDRESS };
      await expect(copy.gateway.createSsoSessionByCode(returned)).rejects.toMatchObject({
        status: 'PERMISSION_DENIED',
        reason: 'SSO_DISABLED',
      });
      await copy.stop();
    }
  });
});
