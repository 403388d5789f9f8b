import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, type OidcProvider } from '@tally/testkit';
import { type AuthFixture, startSsoFixture } from '../auth-fixture.js';

let realm: OidcProvider;
let fixture: Awaited<ReturnType<typeof startSsoFixture>>;
beforeAll(async () => {
  fixture = await startSsoFixture();
  realm = fixture.realm;
});
afterAll(() => fixture.stop());

async function realmOf(overrides: Parameters<AuthFixture['addCopy']>[0]) {
  const copy = await fixture.addCopy(overrides);
  try {
    return await copy.gateway.getSsoRealm({});
  } finally {
    await copy.stop();
  }
}

describe('GetSsoRealm OK', () => {
  it('gives the client, and the endpoints of the discovery document', async () => {
    expect(await fixture.gateway.getSsoRealm({})).toEqual({
      issuer: realm.issuer,
      clientId: realm.clientId,
      scope: 'openid profile',
      authorizationEndpoint: `${realm.issuer}/auth`,
      tokenEndpoint: `${realm.issuer}/token`,
      deviceAuthorizationEndpoint: `${realm.issuer}/device/auth`,
    });
  });

  it('gives the issuer alone without a client, and nothing without a realm', async () => {
    expect(await realmOf({ ssoClientId: '' })).toMatchObject({ issuer: realm.issuer, clientId: '', tokenEndpoint: '' });
    expect(await realmOf({ ssoIssuerUrl: '' })).toMatchObject({ issuer: '', clientId: '' });
  });
});

describe('GetSsoRealm INTERNAL', () => {
  it('says that the realm cannot be reached', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    await expect(realmOf({ ssoIssuerUrl: gone })).rejects.toMatchObject({
      status: 'INTERNAL',
      reason: 'SSO_REALM_UNAVAILABLE',
    });
  });
});
