import { lookup as resolve } from 'node:dns';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { limitTime } from '@tally/service-kit';
import { type SendWebhook, WebhookFault } from '../domain/webhook/deliver-webhooks.js';
import { type AllowedNetworks, mayReach, urlFault } from './webhook-target.js';

/** From the first byte to the end of the answer, milliseconds. */
const TIME_LIMIT_MS = 15_000;
/** Of an answer, bytes: nobody reads it. */
const ANSWER_BYTES_MAX = 64 * 1024;
const HEADERS_BYTES_MAX = 16 * 1024;

/**
 * Resolves a name for a connection that is about to be made, and refuses where it leads: the address that was looked at is the one that is
 * connected to, whatever the name leads to a moment later.
 */
const guardedLookup =
  (allowed: AllowedNetworks): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (err, found) => {
      if (err !== null) return callback(err, '', 0);
      const reachable = found.filter(({ address }) => mayReach(address, allowed));
      const [first] = reachable;
      if (first === undefined) return callback(new WebhookFault('it leads to a private address'), '', 0);
      if (options.all === true) return callback(null, reachable);
      return callback(null, first.address, first.family);
    });
  };

/** Sends requests of webhooks. No proxy is asked: it would connect in our place. */
export function createWebhookSender(allowed: AllowedNetworks, timeLimitMs = TIME_LIMIT_MS): SendWebhook {
  const lookup = guardedLookup(allowed);
  return ({ url, headers, body }) =>
    new Promise((fulfil, reject) => {
      const fault = urlFault(url, allowed); // an address in place of a name is not resolved
      if (fault !== undefined) return reject(new WebhookFault(fault));
      const limit = limitTime(timeLimitMs);
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        lookup,
        agent: false as const,
        maxHeaderSize: HEADERS_BYTES_MAX,
        signal: limit.signal,
      };
      const request: ClientRequest = url.startsWith('https:') ? httpsRequest(url, options) : httpRequest(url, options);
      request.on('error', (err) => reject(toFault(err)));
      request.on('close', () => limit.end());
      request.on('response', (response) => {
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > ANSWER_BYTES_MAX) request.destroy(new WebhookFault('its answer is too long'));
        });
        response.on('error', (err) => reject(toFault(err)));
        response.on('end', () => fulfil({ status: response.statusCode ?? 0 }));
        response.on('close', () => reject(new WebhookFault('its answer ended early')));
      });
      request.end(body);
    });
}

function toFault(err: Error & { readonly code?: string }): WebhookFault {
  if (err instanceof WebhookFault) return err;
  if (err.name === 'TimeoutError' || err.name === 'AbortError') return new WebhookFault('it takes too long');
  return new WebhookFault(err.code ?? err.message, { cause: err });
}
