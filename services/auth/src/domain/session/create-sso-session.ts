import type { Clock, Logger } from '@tally/service-kit';
import { type Audit, refusalOf } from '../audit.js';
import { sealCredential } from '../credential/cluster-credential.js';
import { fail } from '../errors.js';
import type { GroupStore } from '../group/group-ports.js';
import { syncRealmGroups } from '../group/sync-realm-groups.js';
import type { SecretBox } from '../key/secret-box.js';
import type { CertificateProxy, CredentialStore, SsoRealm, UserStore } from '../ports.js';
import type { User } from '../user/user.js';
import { type OpenedSession, openSession, type SessionPorts } from './session.js';
import { type SsoClient, type SsoIdentity, type SsoRules, verifySsoToken } from './sso.js';

/** What {@link createSsoSession} needs. */
export interface CreateSsoSessionPorts extends SessionPorts {
  readonly users: UserStore;
  readonly groups: GroupStore;
  readonly credentials: CredentialStore;
  readonly box: SecretBox;
  /** Absent: single sign-on is off. */
  readonly sso:
    | { readonly realm: SsoRealm; readonly rules: SsoRules; readonly client: SsoClient | undefined }
    | undefined;
  /** Absent: no SSH credentials are fetched. */
  readonly certificateProxy: CertificateProxy | undefined;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Logs in the user of the realm whom the token names; creates the user at the first login. SSH credentials come
 * along if they can be had; a login without keeps those of an earlier one.
 * @throws ServiceError SSO_DISABLED, SSO_TOKEN_INVALID, SSO_CLAIM_MISSING, SSO_USERNAME_TAKEN, SSO_REALM_UNAVAILABLE
 */
export async function createSsoSession(
  ports: CreateSsoSessionPorts,
  ssoToken: string,
  address: string,
): Promise<OpenedSession> {
  const { audit, clock, sso } = ports;
  let identity: SsoIdentity | undefined;
  try {
    if (sso === undefined) throw fail('SSO_DISABLED');
    identity = await verifySsoToken(sso.realm, sso.rules, ssoToken, clock.now());
    const user = await ports.users.saveSso(identity.subject, identity.username, identity.email);
    if (user === undefined) throw fail('SSO_USERNAME_TAKEN');
    if (identity.groups !== undefined) await syncRealmGroups(ports, user.id, identity.groups);
    await fetchCredential(ports, user, ssoToken);
    const session = await openSession(ports, user, clock.now(), identity.role);
    const { id: userId, username, provider } = user;
    audit('auth.session.created', { userId, username, provider, sessionId: session.id, address });
    return session;
  } catch (err) {
    const { subject, username } = identity ?? {};
    const known = identity && { subject, username };
    audit('auth.session.refused', { ...known, provider: 'sso', address, ...refusalOf(err) });
    throw err;
  }
}

/** A failure costs the user the clusters, not the login. */
async function fetchCredential(ports: CreateSsoSessionPorts, user: User, ssoToken: string): Promise<void> {
  const { certificateProxy, credentials, box, audit, logger, clock } = ports;
  if (certificateProxy === undefined) return;
  const facts = { userId: user.id, username: user.username };
  let credential: Awaited<ReturnType<CertificateProxy['fetchCredential']>>;
  try {
    credential = await certificateProxy.fetchCredential(ssoToken);
  } catch (err) {
    logger.warn({ err, user_id: String(user.id) }, 'no SSH credential at login');
    audit('auth.credential.unavailable', facts);
    return;
  }
  const sealed = sealCredential(box, user.id, credential);
  await credentials.save({ userId: user.id, sealed }, credential.expiresAt, clock.now());
  audit('auth.credential.stored', facts);
}
