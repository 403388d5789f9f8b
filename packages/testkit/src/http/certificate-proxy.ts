import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createRemoteJWKSet, jwtVerify } from 'jose';

/** A stand-in for the service that gives single-sign-on users SSH certificates. */
export interface CertificateProxy {
  /** For AUTH_CERT_PROXY_URL. */
  readonly url: string;
  /** Public key of the certificate authority, one line, for sshd's TrustedUserCAKeys. */
  readonly authorityKey: string;
  /** Requests so far, refused ones included. */
  requestCount(): number;
  stop(): Promise<void>;
}

export interface CertificateProxyOptions {
  /** The realm whose tokens are accepted. */
  readonly issuer: string;
  readonly audience: string;
  /** Claim that names the user and the certificate's principal; preferred_username unless given. */
  readonly usernameClaim?: string;
  /** How long a certificate is valid, as ssh-keygen -V takes it; +1h unless given. */
  readonly validity?: string;
  /** Port of 127.0.0.1; a free one unless given. */
  readonly port?: number;
  /** Folder with a certificate authority (files `ca`, `ca.pub`) to use instead of a new one. */
  readonly authorityDir?: string;
}

const run = promisify(execFile);
const PRINCIPAL = /^[A-Za-z0-9._@-]{1,64}$/; // becomes an argument of ssh-keygen and a login name

/** Makes a key pair without passphrase: `<file>` and `<file>.pub`. */
async function createKeyPair(file: string, comment: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', file]);
}

/**
 * Starts an HTTP service that checks the bearer token against the realm and answers `{cert, private}`: a fresh key pair
 * and an OpenSSH user certificate for it, signed by `ssh-keygen` with an authority of its own.
 * @throws Error when NODE_ENV is production, or there is no ssh-keygen
 */
export async function startCertificateProxy(options: CertificateProxyOptions): Promise<CertificateProxy> {
  if (process.env.NODE_ENV === 'production') throw new Error('this certificate proxy must not run in production');
  const dir = await mkdtemp(path.join(tmpdir(), 'tally-certificate-proxy-'));
  await chmod(dir, 0o700);
  const authority = path.join(options.authorityDir ?? dir, 'ca');
  if (options.authorityDir === undefined) await createKeyPair(authority, 'tally test authority');
  const authorityKey = (await readFile(`${authority}.pub`, 'utf8')).trim();
  const keys = createRemoteJWKSet(await findKeysUrl(options.issuer));
  let count = 0;
  const server = createServer((req, res) => {
    count++;
    const answer = async (): Promise<void> => {
      const username = await readUser(req, keys, options);
      if (username === undefined) return void res.writeHead(401).end();
      const pair = await signCertificate(dir, authority, username, options.validity ?? '+1h');
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pair));
    };
    answer().catch(() => res.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    authorityKey,
    requestCount: () => count,
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function findKeysUrl(issuer: string): Promise<URL> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: url } = (await response.json()) as { jwks_uri: string };
  return new URL(url);
}

async function readUser(
  req: IncomingMessage,
  keys: ReturnType<typeof createRemoteJWKSet>,
  { issuer, audience, usernameClaim = 'preferred_username' }: CertificateProxyOptions,
): Promise<string | undefined> {
  const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1];
  if (token === undefined || req.method !== 'GET') return undefined;
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, audience, requiredClaims: ['exp'] });
    const username = payload[usernameClaim];
    return typeof username === 'string' && PRINCIPAL.test(username) ? username : undefined;
  } catch {
    return undefined;
  }
}

async function signCertificate(dir: string, authority: string, username: string, validity: string) {
  const own = await mkdtemp(path.join(dir, 'user-'));
  try {
    const key = path.join(own, 'key');
    await createKeyPair(key, username);
    await run('ssh-keygen', ['-q', '-s', authority, '-I', username, '-n', username, '-V', validity, `${key}.pub`]);
    return { cert: await readFile(`${key}-cert.pub`, 'utf8'), private: await readFile(key, 'utf8') };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
