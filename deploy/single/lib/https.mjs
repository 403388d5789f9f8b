// Requests to this server as its users send them: over TLS, by its name, whatever the name service of this machine knows of it.
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { VAR } from './layout.mjs';
import { Fault } from './system.mjs';

/** The authority that Caddy makes for TALLY_TLS=internal. */
export const AUTHORITY = path.join(VAR, 'caddy/caddy/pki/authorities/local/root.crt');

const trusted = ({ TALLY_TLS: tls, TALLY_TLS_CERTIFICATE: certificate }) => {
  if (tls === 'internal' && fs.existsSync(AUTHORITY)) return { ca: fs.readFileSync(AUTHORITY) };
  // who has a certificate of an authority of the hospital's own has it in the chain
  return tls === 'files' ? { ca: fs.readFileSync(certificate) } : {};
};

/** `{status, body, cookies, certificate}` of an answer. @throws Fault when there is none */
export function request(values, method, target, { json, cookies = [], isChecked = true } = {}) {
  const text = json === undefined ? undefined : JSON.stringify(json);
  const headers = {
    host: values.TALLY_HOST,
    origin: `https://${values.TALLY_HOST}`,
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  const how = {
    host: '127.0.0.1',
    port: 443,
    servername: values.TALLY_HOST,
    method,
    path: target,
    headers,
    timeout: 30_000,
  };
  return new Promise((resolve, reject) => {
    const sent = https.request(
      { ...how, ...trusted(values), rejectUnauthorized: isChecked, agent: false },
      (answer) => {
        const certificate = answer.socket.getPeerCertificate();
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const given = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
          const body = Buffer.concat(chunks).toString();
          const isJson = /json/.test(answer.headers['content-type'] ?? '');
          resolve({ status: answer.statusCode, body: isJson ? JSON.parse(body) : body, cookies: given, certificate });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')));
    sent.on('error', (err) => reject(new Fault(`https://${values.TALLY_HOST}${target.split('?')[0]}: ${err.message}`)));
    sent.end(text);
  });
}
