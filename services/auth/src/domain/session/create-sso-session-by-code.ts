import { refusalOf } from '../audit.js';
import { fail } from '../errors.js';
import type { CodeGrant } from '../ports.js';
import { type CreateSsoSessionPorts, createSsoSession } from './create-sso-session.js';
import type { OpenedSession } from './session.js';
import { verifyIdToken } from './sso.js';

/** What a browser brings back from the realm. */
export interface ReturnedCode extends Omit<CodeGrant, 'clientId'> {
  readonly nonce: string;
}

/**
 * Logs in by an authorization code, which is exchanged here: the browser asks no other host than ours, and sees no token of the
 * realm.
 * @throws ServiceError SSO_CODE_INVALID, and as {@link createSsoSession}
 */
export async function createSsoSessionByCode(
  ports: CreateSsoSessionPorts,
  { nonce, ...returned }: ReturnedCode,
  address: string,
): Promise<OpenedSession> {
  const accessToken = await exchange(ports, returned, nonce).catch((err: unknown) => {
    ports.audit('auth.session.refused', { provider: 'sso', address, ...refusalOf(err) });
    throw err;
  });
  return createSsoSession(ports, accessToken, address);
}

async function exchange(
  { sso, clock }: CreateSsoSessionPorts,
  returned: Omit<CodeGrant, 'clientId'>,
  nonce: string,
): Promise<string> {
  if (sso === undefined || sso.client === undefined) throw fail('SSO_DISABLED');
  const { clientId } = sso.client;
  const { accessToken, idToken } = await sso.realm.exchangeCode({ ...returned, clientId });
  await verifyIdToken(sso.realm, { ...sso.rules, audience: clientId }, idToken, nonce, clock.now());
  return accessToken;
}
