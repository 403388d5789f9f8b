import { answer } from '../../../answer/answer.js';
import { toTimestamp } from '../../../mappers.js';
import { defineRoute } from '../../../route.js';
import { sessionsResponse } from '../../../schemas/token.js';

/** GET /auth/sessions: where the user is logged in. */
export const listSessions = defineRoute({
  method: 'GET',
  path: '/auth/sessions',
  auth: 'session',
  summary: 'List your sessions',
  responses: { 200: { description: 'Live ones, the newest first, at most 100', schema: sessionsResponse } },
  handle: async ({ session: { sessionId: current }, call }, { auth }) => {
    const { sessions } = await auth.listSessions({}, call);
    return answer({
      message: 'Your sessions',
      sessions: sessions.map(({ sessionId, createdAt, expiresAt }) => ({
        session_id: sessionId,
        created_at: toTimestamp(createdAt, 'created_at'),
        expires_at: toTimestamp(expiresAt, 'expires_at'),
        is_current: sessionId === current,
      })),
    });
  },
});
