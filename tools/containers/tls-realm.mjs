// A realm's discovery document and keys over TLS, with a certificate of an authority that nobody else knows; and a service that
// gives every user of it the same SSH certificate.
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';

const read = (file) => fs.readFileSync(file, 'utf8');
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Starts it on a free port of 127.0.0.1 for the name `host`; `{port, certificate, tokenOf, stop}`.
 * `ssh`: files of a key and its certificate, given out at /certificates.
 */
export async function startTlsRealm(host, dir, ssh) {
  const [keyFile, certificateFile] = ['realm.key', 'realm.crt'].map((file) => path.join(dir, file));
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certificateFile, ...subject], { stdio: 'pipe' });
  const certificate = fs.readFileSync(certificateFile, 'utf8');
  const issuer = `https://${host}`;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const documents = {
    '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
    '/keys': { keys: [jwk] },
    ...(ssh && { '/certificates': { cert: read(ssh.certificate), private: read(ssh.privateKey) } }),
  };
  const server = https.createServer({ key: fs.readFileSync(keyFile), cert: certificate }, (req, res) => {
    const found = documents[req.url];
    res
      .writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    certificate,
    /** An access token of a user for the client `tally`. */
    tokenOf(username) {
      const now = Math.floor(Date.now() / 1000);
      const subjectId = createHash('sha256').update(username).digest('hex').slice(0, 32);
      const claims = { iss: issuer, sub: subjectId, azp: 'tally', typ: 'Bearer', preferred_username: username };
      const input = `${base64url({ alg: 'RS256', kid: 'one' })}.${base64url({ ...claims, iat: now, exp: now + 300, jti: randomUUID() })}`;
      return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
    stop: () => server.close(),
  };
}
