import { auth } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { GetClusterCredentialPorts } from '../domain/credential/get-cluster-credential.js';
import type { SigningKeyStore } from '../domain/ports.js';
import type { CreateAccessTokenPorts } from '../domain/session/create-access-token.js';
import type { CreateSessionPorts } from '../domain/session/create-session.js';
import type { CreateSsoSessionPorts } from '../domain/session/create-sso-session.js';
import type { DeleteSessionPorts } from '../domain/session/delete-session.js';
import type { CreateUserPorts } from '../domain/user/create-user.js';
import type { UpdateUserPorts } from '../domain/user/update-user.js';
import { createAccessTokenRpc } from './create-access-token.js';
import { createSessionRpc } from './create-session.js';
import { createSsoSessionRpc } from './create-sso-session.js';
import { createUserRpc } from './create-user.js';
import { deleteSessionRpc } from './delete-session.js';
import { deleteSessionByRefreshTokenRpc } from './delete-session-by-refresh-token.js';
import { getClusterCredentialRpc } from './get-cluster-credential.js';
import { getUserRpc } from './get-user.js';
import { listEndedSessionsRpc } from './list-ended-sessions.js';
import { listSigningKeysRpc } from './list-signing-keys.js';
import { updateUserRpc } from './update-user.js';

/** What the RPCs need together. */
export type AuthPorts = CreateUserPorts &
  CreateSessionPorts &
  CreateSsoSessionPorts &
  CreateAccessTokenPorts &
  DeleteSessionPorts &
  GetClusterCredentialPorts &
  UpdateUserPorts & { readonly signingKeys: SigningKeyStore };

/** The RPCs of auth with their callers. */
export function authRpcs(ports: AuthPorts): Implementation {
  const callers = ['gateway'];
  return implement(auth.AuthServiceService, {
    createUser: { callers, handle: createUserRpc(ports) },
    createSession: { callers, handle: createSessionRpc(ports) },
    createSsoSession: { callers, handle: createSsoSessionRpc(ports) },
    createAccessToken: { callers, handle: createAccessTokenRpc(ports) },
    deleteSession: { callers, handle: deleteSessionRpc(ports) },
    deleteSessionByRefreshToken: { callers, handle: deleteSessionByRefreshTokenRpc(ports) },
    getUser: { callers, handle: getUserRpc(ports) },
    updateUser: { callers, handle: updateUserRpc(ports) },
    listSigningKeys: { callers, handle: listSigningKeysRpc(ports), isQuiet: true },
    listEndedSessions: { callers, handle: listEndedSessionsRpc(ports), isQuiet: true },
    getClusterCredential: { callers: ['batch-bridge'], handle: getClusterCredentialRpc(ports) },
  });
}
