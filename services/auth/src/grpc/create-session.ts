import type { auth } from '@tally/contracts';
import { type CreateSessionPorts, createSession } from '../domain/session/create-session.js';
import { toSession } from './mappers.js';

/** CreateSession. */
export function createSessionRpc(ports: CreateSessionPorts) {
  return async (request: auth.CreateSessionRequest): Promise<auth.CreateSessionResponse> => {
    const { session, device } = await createSession(ports, request);
    return { session: toSession(session), deviceToken: device.token, deviceExpiresAt: device.expiresAt };
  };
}
