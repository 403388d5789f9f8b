import { answer, defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { messageResponse } from '../../schemas/message.js';

async function endSession({ session, call }: RouteRequest<'session'>, { auth, ended, cookies }: RouteServices) {
  await auth.deleteSession({ sessionId: session.sessionId }, call);
  ended.add(session.sessionId);
  return answer({ message: 'User logged out' }, 200, { cookies: cookies.clearAll() });
}

const responses = {
  200: {
    description: 'The session has ended; neither token works anywhere within 5 s',
    schema: messageResponse,
    headers: { 'Set-Cookie': 'Both cookies, empty, with `Max-Age=0`' },
  },
};

/** DELETE /auth/logout: ends the session, in every copy of the gateway. */
export const logout = defineRoute({
  method: 'DELETE',
  path: '/auth/logout',
  auth: 'session',
  summary: 'Log out',
  responses,
  handle: endSession,
});

/** DELETE /auth/sso: the same, under the path of single sign-on. */
export const logoutFromSso = defineRoute({
  method: 'DELETE',
  path: '/auth/sso',
  auth: 'session',
  summary: 'Log out of a single sign-on session',
  responses,
  handle: endSession,
});
