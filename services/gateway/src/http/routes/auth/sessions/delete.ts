import { answer } from '../../../answer/answer.js';
import { defineRoute } from '../../../route.js';
import { messageResponse } from '../../../schemas/message.js';
import { sessionQuery } from '../../../schemas/token.js';

/** DELETE /auth/sessions: ends one of the user's sessions, or all. */
export const deleteSessions = defineRoute({
  method: 'DELETE',
  path: '/auth/sessions',
  auth: 'session',
  summary: 'End your sessions',
  description:
    'All of them, this one, too, and the API tokens made to end with them; or the one that is named. One that has ended ' +
    'already, or is not yours, is left as it is.',
  query: sessionQuery,
  responses: { 200: { description: 'Ended everywhere within 5 s', schema: messageResponse } },
  handle: async ({ query: { session_id: sessionId }, session, call }, { auth, ended }) => {
    if (sessionId === undefined) {
      await auth.deleteSession({ which: { $case: 'all', value: true } }, call);
      ended.add(session.sessionId);
      return answer({ message: 'All your sessions have ended' });
    }
    await auth.deleteSession({ which: { $case: 'sessionId', value: sessionId } }, call);
    return answer({ message: 'The session has ended' });
  },
});
