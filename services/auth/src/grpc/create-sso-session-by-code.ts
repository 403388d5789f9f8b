import type { auth } from '@tally/contracts';
import type { CreateSsoSessionPorts } from '../domain/session/create-sso-session.js';
import { createSsoSessionByCode } from '../domain/session/create-sso-session-by-code.js';
import { toSession } from './mappers.js';

/** CreateSsoSessionByCode. */
export function createSsoSessionByCodeRpc(ports: CreateSsoSessionPorts) {
  return async ({
    remoteAddress,
    ...returned
  }: auth.CreateSsoSessionByCodeRequest): Promise<auth.CreateSsoSessionByCodeResponse> => ({
    session: toSession(await createSsoSessionByCode(ports, returned, remoteAddress)),
  });
}
