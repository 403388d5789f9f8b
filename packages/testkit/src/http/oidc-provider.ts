import { createHash, generateKeyPair, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { JWK, JWTPayload } from 'jose';
import type Provider from 'oidc-provider';
import { freePort } from '../process/free-port.js';

/** A realm for tests and development. */
export interface OidcProvider {
  /** Issuer identifier, for AUTH_SSO_ISSUER_URL. */
  readonly issuer: string;
  readonly port: number;
  /** The public client (authorization code with PKCE, device flow); its id is the token's `client_id`. */
  readonly clientId: string;
  /** Claim `aud` of the access tokens, for AUTH_SSO_AUDIENCE. */
  readonly audience: string;
  /** Logs a user in as a browser would, without one: authorization code with PKCE. Every name is a user. */
  login(username: string): Promise<OidcTokens>;
  /** The same, without the exchange of the code. */
  beginLogin(username: string): Promise<OidcCode>;
  /**
   * A token with any header and claims, signed with the realm's own key: for tests of what must be refused although its
   * signature is right. `kid`, `alg` and `typ` are set unless given.
   */
  sign(claims: JWTPayload, header?: object): string;
  /** Public keys as the realm publishes them. */
  publicKeys(): Promise<JWK[]>;
  stop(): Promise<void>;
}

/** What a browser brings back, and what it kept. */
export interface OidcCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

/** What a login brings. */
export interface OidcTokens {
  readonly accessToken: string;
  readonly idToken: string;
}

export interface OidcProviderOptions {
  /** Port of 127.0.0.1; a free one unless given. The same port with another start is the same realm with new keys. */
  readonly port?: number;
  /** Unless given, `http://127.0.0.1:port`: where clients reach the realm, for example by a proxy. */
  readonly issuer?: string;
  /** Further claims of a user's tokens. */
  readonly claimsOf?: (username: string) => Readonly<Record<string, unknown>>;
  /** Life of access and id tokens, seconds; 3600 unless given. */
  readonly tokenSeconds?: number;
}

const CLIENT_ID = 'tally';
const AUDIENCE = 'urn:tally';
const REDIRECT_URI = 'http://127.0.0.1/callback';
/** The console of a gateway on any port (RFC 8252 section 7.3). */
const CONSOLE_URI = 'http://127.0.0.1/console/sso';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SCOPE = 'openid profile email';
const ALG = 'RS256';

/** Claim `sub` of a user: stable, and not the name. */
export function subjectOf(username: string): string {
  return createHash('sha256').update(`subject of ${username}`).digest('hex').slice(0, 32);
}

/**
 * Starts a real OpenID provider (npm `oidc-provider`) on 127.0.0.1 that asks nobody for a password: a browser is asked for a name.
 * @throws Error when NODE_ENV is production
 */
export async function startOidcProvider(options: OidcProviderOptions = {}): Promise<OidcProvider> {
  if (process.env.NODE_ENV === 'production') throw new Error('a provider without passwords must not run in production');
  const port = options.port ?? (await freePort());
  const issuer = options.issuer ?? `http://127.0.0.1:${port}`;
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = {
    ...privateKey.export({ format: 'jwk' }),
    kty: 'RSA',
    alg: ALG,
    use: 'sig',
    kid: randomBytes(8).toString('hex'),
  };
  const usernames = new Map<string, string>(); // by subject
  const provider = await withoutItsWarnings(() => createProvider(issuer, jwk, usernames, options));
  const handle = provider.callback();
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/interaction/')) void finishInteraction(provider, usernames, req, res);
    else void handle(req, res);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    issuer,
    port,
    clientId: CLIENT_ID,
    audience: AUDIENCE,
    login(username) {
      usernames.set(subjectOf(username), username);
      return login(issuer, subjectOf(username));
    },
    beginLogin(username) {
      usernames.set(subjectOf(username), username);
      return beginLogin(issuer, subjectOf(username));
    },
    sign(claims, header) {
      // by hand: a library would refuse some of what tests want
      const parts = [{ alg: ALG, kid: jwk.kid, typ: 'at+jwt', ...header }, claims];
      const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
    async publicKeys() {
      const response = await fetch(`${issuer}/jwks`);
      const { keys } = (await response.json()) as { keys: JWK[] };
      return keys;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Runs work during which oidc-provider warns of what is on purpose here: a store in memory, and the Node release of this
 * project. Nobody would see another test's warning between thirty of these.
 */
async function withoutItsWarnings<T>(work: () => Promise<T>): Promise<T> {
  const output = console;
  const warn = output.warn.bind(output);
  output.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider WARNING')) warn(...words);
  };
  try {
    return await work();
  } finally {
    output.warn = warn;
  }
}

async function createProvider(
  issuer: string,
  jwk: JWK,
  usernames: ReadonlyMap<string, string>,
  options: OidcProviderOptions,
): Promise<Provider> {
  const { default: OidcProviderServer } = await import('oidc-provider'); // 0.4 s, and only here
  const { tokenSeconds = 3_600 } = options;
  const claimsOf = (subject: string) => {
    const username = usernames.get(subject) ?? subject;
    return {
      preferred_username: username,
      email: `${username.replaceAll(/[^A-Za-z0-9.-]/g, '_')}@example.org`,
      ...options.claimsOf?.(username),
    };
  };
  return new OidcProviderServer(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [REDIRECT_URI, CONSOLE_URI],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: ['authorization_code', DEVICE_GRANT],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    conformIdTokenClaims: false, // profile claims in the id token too
    pkce: { required: () => true },
    findAccount: (_ctx, subject) => ({
      accountId: subject,
      claims: () => ({ ...claimsOf(subject), sub: subject }),
    }),
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'] },
    ttl: { AccessToken: tokenSeconds, IdToken: tokenSeconds, Session: 3_600, Grant: 3_600, Interaction: 60 },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          audience: AUDIENCE,
          scope: SCOPE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: ALG } },
        }),
      },
    },
    formats: {
      customizers: {
        jwt(_ctx, token, parts) {
          if ('accountId' in token) Object.assign(parts.payload, claimsOf(token.accountId));
        },
      },
    },
  });
}

const NAME_PAGE = `<!doctype html><title>Realm</title><form><label>Name at the realm <input name="username" required></label>
<button>Continue</button></form>`;

/** Says yes to everything: the user is who the login hint says, or who the browser says. */
async function finishInteraction(
  provider: Provider,
  usernames: Map<string, string>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
    if (prompt.name === 'login') {
      const username = new URL(req.url ?? '', 'http://realm').searchParams.get('username');
      if (params.login_hint === undefined && username === null) {
        res.writeHead(200, { 'content-type': 'text/html' }).end(NAME_PAGE);
        return;
      }
      if (username !== null) usernames.set(subjectOf(username), username);
      const accountId = username === null ? String(params.login_hint) : subjectOf(username);
      return await provider.interactionFinished(req, res, { login: { accountId } });
    }
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant = known ?? new provider.Grant({ accountId: session?.accountId, clientId: CLIENT_ID });
    grant.addOIDCScope(SCOPE);
    grant.addResourceScope(AUDIENCE, SCOPE);
    const consent = { grantId: await grant.save() };
    return await provider.interactionFinished(req, res, { consent }, { mergeWithLastSubmission: true });
  } catch (err) {
    res.writeHead(400).end(err instanceof Error ? err.message : String(err));
  }
}

/** Follows the redirects of the authorization endpoint with a cookie jar, until they lead back to the client. */
async function authorize(url: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    next = new URL(location, next);
    if (!next.href.startsWith(REDIRECT_URI)) continue;
    const code = next.searchParams.get('code');
    if (code === null) throw new Error(`the provider refused: ${next.searchParams.get('error_description')}`);
    return code;
  }
  throw new Error('the provider redirects in circles');
}

/** A browser's half of a sign-in: the redirect to the realm and back. */
async function beginLogin(issuer: string, subject: string): Promise<OidcCode> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const nonce = randomBytes(16).toString('base64url');
  const url = new URL(`${issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    nonce,
    login_hint: subject,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return { code: await authorize(url), codeVerifier, redirectUri: REDIRECT_URI, nonce };
}

async function login(issuer: string, subject: string): Promise<OidcTokens> {
  const { code, codeVerifier, redirectUri } = await beginLogin(issuer, subject);
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      code,
      code_verifier: codeVerifier,
    }),
  });
  if (!response.ok) throw new Error(`the provider gave no tokens: ${await response.text()}`);
  const tokens = (await response.json()) as { access_token: string; id_token: string };
  return { accessToken: tokens.access_token, idToken: tokens.id_token };
}
