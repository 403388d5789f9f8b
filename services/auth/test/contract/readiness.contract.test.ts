import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADDRESS, type AuthFixture, ENCRYPTION_KEY, PASSWORD, startAuthFixture } from '../auth-fixture.js';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.stop());

/** Why a copy with these encryption keys is not ready; undefined: it is. */
async function reasonWith(
  encryptionKey: NonNullable<Parameters<AuthFixture['addCopy']>[0]>['encryptionKey'] = ENCRYPTION_KEY,
) {
  const copy = await fixture.addCopy({ encryptionKey });
  try {
    await copy.gateway.checkReady();
    return undefined;
  } catch (err) {
    return (err as Error).message;
  } finally {
    await copy.stop();
  }
}

const fresh = (id: string) => ({ id, key: randomBytes(32) });

describe('an encryption key', () => {
  it('that opens what is stored: ready, also when a new one seals', async () => {
    expect(await reasonWith()).toBeUndefined();
    expect(await reasonWith([fresh('second'), ...ENCRYPTION_KEY])).toBeUndefined();
  });

  it('other than the one that sealed the signing key: not ready, and says which one is missing', async () => {
    expect(await reasonWith([fresh('other')])).toBe(
      'encryption key: a signing key is sealed with the encryption key first, which is not in AUTH_ENCRYPTION_KEY',
    );
    expect(await reasonWith([fresh('first')])).toBe(
      'encryption key: a signing key is sealed with the encryption key first, which is another key of this name',
    );
    const line = fixture.lines
      .map((text) => JSON.parse(text) as { msg: string })
      .find(({ msg }) => msg === 'not ready');
    expect(line).toMatchObject({
      level: 'warn',
      dependency: 'encryption key',
      reason: expect.stringContaining('first'),
    });
  });

  it('that is missing for stored SSH credentials: not ready, and says so', async () => {
    await fixture.gateway.createUser({ username: 'ada', password: PASSWORD, remoteAddress: ADDRESS });
    await fixture.query(
      `INSERT INTO cluster_credentials (user_id, sealed, encryption_key_id, updated_at)
       SELECT id, '\\x00', 'lost', now() FROM users`,
    );
    expect(await reasonWith()).toBe(
      'encryption key: SSH credentials are sealed with the encryption key lost, which is not in AUTH_ENCRYPTION_KEY',
    );
    await fixture.query('DELETE FROM cluster_credentials');
    expect(await reasonWith()).toBeUndefined();
  });
});
