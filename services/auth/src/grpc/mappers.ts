import { AUTH_PROVIDERS, type auth, GROUP_ROLES, nameOf, TOKEN_SCOPES } from '@tally/contracts';
import { type Group, type GroupRole, type Member, readGroupId } from '../domain/group/group.js';
import type { PublicJwk } from '../domain/key/signing-key.js';
import type { Notice } from '../domain/mail/create-notice.js';
import type { ListedSession } from '../domain/ports.js';
import type { CreateSsoSessionPorts } from '../domain/session/create-sso-session.js';
import type { OpenedSession } from '../domain/session/session.js';
import type { ApiToken, TokenScope } from '../domain/token/api-token.js';
import type { Provider, User } from '../domain/user/user.js';

/** User as the contract has it. */
export function toUser({ id, username, provider, displayName }: User): auth.User {
  return { userId: id, username, provider: AUTH_PROVIDERS[provider], displayName };
}

/** New session as the contract has it. */
export function toSession(session: OpenedSession): auth.Session {
  const { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt, user } = session;
  return { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt, user: toUser(user) };
}

/** Session of a list as the contract has it. */
export function toListedSession({ id, createdAt, expiresAt }: ListedSession): auth.ListedSession {
  return { sessionId: id, createdAt, expiresAt };
}

const NO_REALM: auth.GetSsoRealmResponse = {
  issuer: '',
  clientId: '',
  scope: '',
  authorizationEndpoint: '',
  tokenEndpoint: '',
  deviceAuthorizationEndpoint: '',
};

/** Where users sign in, as the contract has it. @throws ServiceError SSO_REALM_UNAVAILABLE */
export async function toSsoRealm(sso: CreateSsoSessionPorts['sso']): Promise<auth.GetSsoRealmResponse> {
  if (sso === undefined) return NO_REALM;
  const { client, rules, realm } = sso;
  if (client === undefined) return { ...NO_REALM, issuer: rules.issuer };
  const { authorization, token, deviceAuthorization = '' } = await realm.endpoints();
  return {
    issuer: rules.issuer,
    clientId: client.clientId,
    scope: client.scope,
    authorizationEndpoint: authorization,
    tokenEndpoint: token,
    deviceAuthorizationEndpoint: deviceAuthorization,
  };
}

/** Public key as the contract has it. */
export function toSigningKey(jwk: PublicJwk): auth.SigningKey {
  return { kid: jwk.kid, publicJwkJson: JSON.stringify(jwk) };
}

/** What a user is to be told, of the contract. */
export function toNotice(request: auth.CreateNoticeRequest): Notice {
  const { noticeId, userId, groupId, subject, paragraphs, linkPath, linkWords, picture, pictureAlt } = request;
  const isPictured = picture.byteLength > 0;
  return {
    noticeId,
    userId,
    groupId: groupId === '' ? undefined : readGroupId(groupId),
    content: {
      subject,
      paragraphs,
      link: { path: linkPath, words: linkWords },
      ...(isPictured ? { pictureAlt } : {}),
    },
    picture: isPictured ? new Uint8Array(picture) : undefined,
  };
}

/** API token as the contract has it. */
export function toApiToken(token: ApiToken): auth.ApiToken {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, isEndedWithSessions } = token;
  return {
    tokenId: id,
    name,
    scopes: scopes.map((scope) => TOKEN_SCOPES[scope]),
    createdAt,
    expiresAt,
    lastUsedAt,
    isEndedWithSessions,
  };
}

/** Group as the contract has it. */
export function toGroup({ id, name, role, isOfRealm, memberCount, createdAt }: Group): auth.Group {
  return { groupId: id, name, role: GROUP_ROLES[role], isOfRealm, memberCount, createdAt };
}

/** Member as the contract has it. */
export function toMember({ user, role, joinedAt }: Member): auth.Member {
  return { user: toUser(user), role: GROUP_ROLES[role], joinedAt };
}

/** Role of the contract by its name; undefined: none is said. */
export const toRole = (role: auth.GroupRole): GroupRole | undefined => nameOf(GROUP_ROLES, role);

/** Provider of the contract by its name; undefined: none is said. */
export const toProvider = (provider: auth.AuthProvider): Provider | undefined => nameOf(AUTH_PROVIDERS, provider);

/** Scopes of the contract by their names; unknown ones are left out. */
export function toScopes(scopes: readonly auth.TokenScope[]): TokenScope[] {
  return scopes.map((scope) => nameOf(TOKEN_SCOPES, scope)).filter((name) => name !== undefined);
}
