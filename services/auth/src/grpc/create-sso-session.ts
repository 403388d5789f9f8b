import type { auth } from '@tally/contracts';
import { type CreateSsoSessionPorts, createSsoSession } from '../domain/session/create-sso-session.js';
import { toSession } from './mappers.js';

/** CreateSsoSession. */
export function createSsoSessionRpc(ports: CreateSsoSessionPorts) {
  return async (request: auth.CreateSsoSessionRequest): Promise<auth.CreateSsoSessionResponse> => ({
    session: toSession(await createSsoSession(ports, request.ssoToken, request.remoteAddress)),
  });
}
