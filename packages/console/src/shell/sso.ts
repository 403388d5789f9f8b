import { call, type Output } from '../api/client.js';

export type SsoRealm = NonNullable<Output<'GET', '/auth/sso'>['sso']>;

/** What is kept in this tab while its user is at the realm. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path to go back to. */
  readonly from: string;
}

const KEY = 'tally.sso';
const CONSOLE = '/console/';
/** Where the realm sends the browser back to. */
export const RETURN_PATH = `${CONSOLE}sso`;
const SECRET_BYTES = 32;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const secret = (): string => base64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** Whether the realm takes users of this page: it needs a client, and the browser the hash, which it has over https only. */
export const canRedirect = (realm: SsoRealm | null | undefined): realm is SsoRealm =>
  realm?.client_id !== undefined && realm.authorization_endpoint !== undefined && globalThis.isSecureContext;

/** Sends the browser to the realm: authorization code with PKCE (RFC 6749, RFC 7636), state and nonce of this tab alone. */
export async function redirectToRealm({ authorization_endpoint, client_id, scope }: SsoRealm): Promise<void> {
  const attempt: Attempt = {
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    from: `${location.pathname}${location.search}`,
  };
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(attempt.verifier));
  const url = new URL(authorization_endpoint ?? '');
  const query = {
    response_type: 'code',
    client_id: client_id ?? '',
    redirect_uri: `${location.origin}${RETURN_PATH}`,
    scope: scope ?? 'openid',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url);
}

/** The attempt of this tab, which counts once. */
function takeAttempt(): Attempt | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as Attempt);
}

/**
 * Makes a session of what the realm has put into the address.
 * @param foreign - what to say of an answer that this tab has not asked for
 * @returns the path where the user was before
 * @throws Error in the realm's words, HttpError
 */
export async function finishSignIn(search: string, foreign: string): Promise<string> {
  const query = new URLSearchParams(search);
  history.replaceState(null, '', RETURN_PATH); // a code is used once; it does not stay in the address
  const attempt = takeAttempt();
  if (attempt === undefined || query.get('state') !== attempt.state) throw new Error(foreign);
  const code = query.get('code');
  if (code === null) throw new Error(query.get('error_description') ?? query.get('error') ?? foreign);
  await call('POST', '/auth/sso/code', {
    body: {
      code,
      code_verifier: attempt.verifier,
      nonce: attempt.nonce,
      redirect_uri: `${location.origin}${RETURN_PATH}`,
    },
  });
  return attempt.from.startsWith(CONSOLE) && attempt.from !== RETURN_PATH ? attempt.from : CONSOLE;
}
