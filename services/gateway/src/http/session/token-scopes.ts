/** What an API token may do, besides what its owner may. */
export type TokenScope = 'read' | 'submit';

/** Changing routes that API tokens may use: accounts, sessions and tokens themselves are for people who logged in. */
const SUBMIT: ReadonlySet<string> = new Set([
  'POST /estimate',
  'POST /jobs/direct',
  'DELETE /jobs/direct',
  'POST /jobs/direct/stop',
  'POST /jobs/direct/extend',
  'POST /jobs/batch',
  'DELETE /jobs/batch',
  'POST /jobs/batch/stop',
  'POST /jobs/batch/extend',
  'PUT /jobs/labels',
  'DELETE /user/simulations',
  'POST /shares',
  'DELETE /shares',
  'PUT /shares/group',
  'POST /projects',
  'PUT /projects',
  'DELETE /projects',
]);
const LOGIN_ONLY: ReadonlySet<string> = new Set(['GET /auth/tokens', 'GET /auth/sessions']);

/** The scope that a token needs for a route; undefined: no token will do. */
export function tokenScopeOf(route: {
  readonly method: string;
  readonly path: string;
  readonly auth: string;
}): TokenScope | undefined {
  const { method, path, auth } = route;
  const name = `${method} ${path}`;
  if ((auth !== 'session' && auth !== 'sso') || LOGIN_ONLY.has(name)) return undefined;
  if (SUBMIT.has(name)) return 'submit';
  return method === 'GET' ? 'read' : undefined;
}
