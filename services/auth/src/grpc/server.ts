import { auth } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { GetClusterCredentialPorts } from '../domain/credential/get-cluster-credential.js';
import type { ApiTokenStore, SigningKeyStore } from '../domain/ports.js';
import type { CreateAccessTokenPorts } from '../domain/session/create-access-token.js';
import type { CreateSessionPorts } from '../domain/session/create-session.js';
import type { CreateSsoSessionPorts } from '../domain/session/create-sso-session.js';
import type { DeleteSessionPorts } from '../domain/session/delete-session.js';
import type { CreateApiTokenPorts } from '../domain/token/create-api-token.js';
import type { CreateUserPorts } from '../domain/user/create-user.js';
import type { UpdateUserPorts } from '../domain/user/update-user.js';
import { createAccessTokenRpc } from './create-access-token.js';
import { createApiTokenRpc } from './create-api-token.js';
import { createSessionRpc } from './create-session.js';
import { createSsoSessionRpc } from './create-sso-session.js';
import { createSsoSessionByCodeRpc } from './create-sso-session-by-code.js';
import { createUserRpc } from './create-user.js';
import { deleteAllSessionsRpc } from './delete-all-sessions.js';
import { deleteApiTokenRpc } from './delete-api-token.js';
import { deleteSessionRpc } from './delete-session.js';
import { deleteSessionByRefreshTokenRpc } from './delete-session-by-refresh-token.js';
import { getApiTokenOwnerRpc } from './get-api-token-owner.js';
import { getClusterCredentialRpc } from './get-cluster-credential.js';
import { getSsoRealmRpc } from './get-sso-realm.js';
import { getUserRpc } from './get-user.js';
import { listApiTokensRpc } from './list-api-tokens.js';
import { listEndedSessionsRpc } from './list-ended-sessions.js';
import { listSessionsRpc } from './list-sessions.js';
import { listSigningKeysRpc } from './list-signing-keys.js';
import { updateUserRpc } from './update-user.js';

/** What the RPCs need together. */
export type AuthPorts = CreateUserPorts &
  CreateSessionPorts &
  CreateSsoSessionPorts &
  CreateAccessTokenPorts &
  DeleteSessionPorts &
  CreateApiTokenPorts &
  GetClusterCredentialPorts &
  UpdateUserPorts & { readonly signingKeys: SigningKeyStore; readonly apiTokens: ApiTokenStore };

/** The RPCs of auth with their callers. */
export function authRpcs(ports: AuthPorts): Implementation {
  const callers = ['gateway'];
  return implement(auth.AuthServiceService, {
    createUser: { callers, handle: createUserRpc(ports) },
    createSession: { callers, handle: createSessionRpc(ports) },
    createSsoSession: { callers, handle: createSsoSessionRpc(ports) },
    createSsoSessionByCode: { callers, handle: createSsoSessionByCodeRpc(ports) },
    getSsoRealm: { callers, handle: getSsoRealmRpc(ports) },
    createAccessToken: { callers, handle: createAccessTokenRpc(ports) },
    deleteSession: { callers, handle: deleteSessionRpc(ports) },
    deleteSessionByRefreshToken: { callers, handle: deleteSessionByRefreshTokenRpc(ports) },
    deleteAllSessions: { callers, handle: deleteAllSessionsRpc(ports) },
    listSessions: { callers, handle: listSessionsRpc(ports) },
    createApiToken: { callers, handle: createApiTokenRpc(ports) },
    listApiTokens: { callers, handle: listApiTokensRpc(ports) },
    deleteApiToken: { callers, handle: deleteApiTokenRpc(ports) },
    getApiTokenOwner: { callers, handle: getApiTokenOwnerRpc(ports) },
    getUser: { callers, handle: getUserRpc(ports) },
    updateUser: { callers, handle: updateUserRpc(ports) },
    listSigningKeys: { callers, handle: listSigningKeysRpc(ports), isQuiet: true },
    listEndedSessions: { callers, handle: listEndedSessionsRpc(ports), isQuiet: true },
    getClusterCredential: { callers: ['batch-bridge'], handle: getClusterCredentialRpc(ports) },
  });
}
