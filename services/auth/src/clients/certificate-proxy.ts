import { readCredential } from '../domain/credential/cluster-credential.js';
import type { CertificateProxy } from '../domain/ports.js';
import { fetchJson } from './bounded-fetch.js';

/** Where the proxy is and what it may cost. */
export interface CertificateProxyOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** The certificate proxy over HTTP: `GET` with the user's token as bearer, answer `{cert, private}`. */
export function createCertificateProxy({ url, timeoutMs, bytesMax }: CertificateProxyOptions): CertificateProxy {
  return {
    async fetchCredential(ssoToken) {
      const headers = { authorization: `Bearer ${ssoToken}` };
      const credential = readCredential(await fetchJson(url, { timeoutMs, bytesMax, headers }));
      if (credential === undefined) throw new Error('the certificate proxy did not answer {cert, private}');
      return credential;
    },
  };
}
