import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findKeycloak } from '../infrastructure/keycloak-programs.js';
import { onProcessEnd } from '../process/exit-hook.js';
import { freePort } from '../process/free-port.js';
import { createRunDirectory, recordServer, removeRunDirectory } from '../process/run-directory.js';
import { type ServerProcess, startServerProcess } from '../process/server-process.js';
import { waitFor } from '../wait-for.js';
import { KeycloakAdmin, REALM, REDIRECT_URI } from './keycloak-admin.js';

/** What a login at Keycloak brings. */
export interface KeycloakTokens {
  readonly accessToken: string;
  readonly idToken: string;
  readonly refreshToken: string;
}

/** A running Keycloak with a realm of users, clients and roles. */
export interface Keycloak {
  /** For AUTH_SSO_ISSUER_URL. */
  readonly issuer: string;
  /** For AUTH_SSO_CLIENT_ID: public, with PKCE. */
  readonly clientId: string;
  /** Of every user. */
  readonly password: string;
  readonly admin: KeycloakAdmin;
  /** Logs a user in as a browser would: the page with the form, authorization code with PKCE. */
  login(username: string, clientId?: string): Promise<KeycloakTokens>;
  /** New tokens for a refresh token. @throws Error with Keycloak's answer */
  refresh(refreshToken: string): Promise<KeycloakTokens>;
  /** Ends the user's session at Keycloak. */
  logout(refreshToken: string): Promise<void>;
  /** Ends the server; its data stay. */
  halt(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Client of the realm whose tokens are for Tally. */
const CLIENT_ID = 'tally';
const PASSWORD = 'correct horse battery';
const START_TIMEOUT_MS = 240_000;

/** Starts Keycloak on a free port of 127.0.0.1 with data of its own; undefined where it is not installed. 15 s. */
export async function startKeycloak(): Promise<Keycloak | undefined> {
  const script = findKeycloak();
  if (script === undefined) return undefined;
  const dir = createRunDirectory('keycloak');
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const adminPassword = randomBytes(16).toString('hex');
  let server: ServerProcess | undefined;
  const start = async () => {
    server = await boot(script, dir, port, adminPassword);
  };
  const takeBackHook = onProcessEnd(() => {
    server?.killNow();
    removeRunDirectory(dir);
  });
  const stop = async () => {
    await server?.stop();
    takeBackHook();
    removeRunDirectory(dir);
  };
  try {
    await start();
    const admin = new KeycloakAdmin(base, adminPassword);
    await admin.createRealm(PASSWORD);
    const issuer = `${base}/realms/${REALM}`;
    const post = (endpoint: string, form: Record<string, string>) =>
      fetch(`${issuer}/protocol/openid-connect/${endpoint}`, { method: 'POST', body: new URLSearchParams(form) });
    const grant = async (form: Record<string, string>): Promise<KeycloakTokens> => {
      const response = await post('token', form);
      const body = (await response.json()) as Record<string, string>;
      if (!response.ok) throw new Error(`Keycloak answered ${response.status}: ${JSON.stringify(body)}`);
      const { access_token: accessToken = '', id_token: idToken = '', refresh_token: refreshToken = '' } = body;
      return { accessToken, idToken, refreshToken };
    };
    return {
      issuer,
      clientId: CLIENT_ID,
      password: PASSWORD,
      admin,
      async login(username, clientId = CLIENT_ID) {
        const verifier = randomBytes(32).toString('base64url');
        const code = await authorize(issuer, username, clientId, verifier);
        const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
        return grant({ ...form, client_id: clientId, code_verifier: verifier });
      },
      refresh: (refreshToken) =>
        grant({ grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: refreshToken }),
      async logout(refreshToken) {
        const response = await post('logout', { client_id: CLIENT_ID, refresh_token: refreshToken });
        if (!response.ok) throw new Error(`Keycloak answered ${response.status}: ${await response.text()}`);
      },
      halt: async () => server?.stop(),
      resume: start,
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function boot(script: string, dir: string, port: number, adminPassword: string): Promise<ServerProcess> {
  const logFile = path.join(dir, 'log');
  const base = `http://127.0.0.1:${port}`;
  const database = `jdbc:h2:file:${path.join(dir, 'data')};NON_KEYWORDS=VALUE`;
  const address = ['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${base}`];
  const server = await startServerProcess({
    program: 'sh',
    args: [script, 'start', '--optimized', ...address, `--db-url=${database}`],
    user: {}, // it has to read its installation, in the user's cache
    cwd: dir,
    env: {
      ...process.env,
      JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword,
    },
    logFile,
    stopSignal: 'SIGTERM',
  });
  recordServer(dir, server.pid);
  const answers = async () => {
    if (server.hasExited()) throw new Error(`Keycloak ended: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
    return fetch(`${base}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await waitFor(answers, { timeoutMs: START_TIMEOUT_MS, what: 'Keycloak' });
  return server;
}

/** Takes the page with the form, sends it, and gives the code that Keycloak sends the client. */
async function authorize(issuer: string, username: string, clientId: string, verifier: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = await fetch(`${issuer}/protocol/openid-connect/auth?${query.toString()}`);
  const html = await page.text();
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  if (action === undefined) throw new Error(`Keycloak showed no form: ${page.status} ${html.slice(0, 500)}`);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const answer = await fetch(action, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ username, password: PASSWORD }),
    redirect: 'manual',
  });
  const code = new URL(answer.headers.get('location') ?? 'about:blank').searchParams.get('code');
  if (code === null) throw new Error(`Keycloak gave no code: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
  return code;
}
