import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '@tally/client';
import { EXIT, UserError } from './exit-codes.js';

type Realm = NonNullable<Output<'GET', '/auth/sso'>['sso']>;

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628 section 3.2, where the realm does not say. */
const INTERVAL_SECONDS = 5;
/** RFC 8628 section 3.5. */
const SLOWER_SECONDS = 5;
const REQUEST_MS = 15_000;

type Members = Readonly<Record<string, unknown>>;

/** What the user has to do. */
export interface DevicePrompt {
  readonly address: string;
  readonly code: string;
}

async function post(url: string, form: Readonly<Record<string, string>>): Promise<{ ok: boolean; body: Members }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(form),
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const body: unknown = await response.json().catch(() => ({}));
  return { ok: response.ok, body: Object(body) as Members };
}

function refused({ error, error_description: words }: Members): UserError {
  const why = [words, error].find((text) => typeof text === 'string') ?? 'no reason given';
  return new UserError(`the realm refuses the sign-in: ${why}`, EXIT.notAllowed);
}

/**
 * Signs a user in to the realm by a code that he enters in any browser (RFC 8628).
 * @param show - tells him
 * @returns an access token of the realm
 * @throws UserError when the realm offers no device flow, the user declines, or the code expires
 */
export async function signInByDevice(realm: Realm | null, show: (prompt: DevicePrompt) => void): Promise<string> {
  const { client_id, scope, device_authorization_endpoint, token_endpoint } = realm ?? {};
  if (realm === null) throw new UserError('this service has no single sign-on', EXIT.notAllowed);
  if (client_id === undefined || device_authorization_endpoint === undefined || token_endpoint === undefined) {
    throw new UserError(
      `${realm.issuer} offers no device flow here: bring a token (--sso-token-stdin)`,
      EXIT.notAllowed,
    );
  }
  const { ok, body: given } = await post(device_authorization_endpoint, { client_id, scope: scope ?? 'openid' });
  if (!ok) throw refused(given);
  show({ address: String(given.verification_uri_complete ?? given.verification_uri), code: String(given.user_code) });
  const endsAt = Date.now() + 1000 * Number(given.expires_in);
  let seconds = Number(given.interval ?? INTERVAL_SECONDS);
  while (Date.now() < endsAt) {
    await sleep(1000 * seconds);
    const grant = { grant_type: GRANT_TYPE, client_id, device_code: String(given.device_code) };
    const answer = await post(token_endpoint, grant);
    if (answer.ok) return String(answer.body.access_token);
    if (answer.body.error === 'slow_down') seconds += SLOWER_SECONDS;
    else if (answer.body.error !== 'authorization_pending') throw refused(answer.body);
  }
  throw new UserError('nobody entered the code in time', EXIT.notAllowed);
}
