import { answer } from '../../answer/answer.js';
import { defineRoute } from '../../route.js';
import { credentials, registerResponse } from '../../schemas/session.js';

/** PUT /auth/register: a new local user. */
export const register = defineRoute({
  method: 'PUT',
  path: '/auth/register',
  auth: 'none',
  summary: 'Register a local user',
  description:
    'A user name has 1 to 128 characters without control characters. A password has at least 8 characters and at most 72 bytes of UTF-8.',
  body: credentials,
  responses: {
    201: { description: 'The user exists', schema: registerResponse },
    403: { description: 'Registration is switched off' },
    409: { description: 'The user name is taken' },
    429: { description: 'Too many attempts from this address' },
  },
  handle: async ({ body: { username, password }, remoteAddress, call }, { auth }) => {
    await auth.createUser({ username, password, remoteAddress }, call);
    return answer({ message: 'User created', status_code: 201 }, 201);
  },
});
