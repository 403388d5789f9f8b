import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { signInByDevice } from './device-flow.js';

let server: Server;
let url: string;
/** Answers of the token endpoint, one after another. */
let answers: { readonly error?: string; readonly access_token?: string }[];
let asked: URLSearchParams[];

beforeEach(async () => {
  asked = [];
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    asked.push(new URLSearchParams(await text(req)));
    const device = {
      device_code: 'd',
      user_code: 'ABCD',
      verification_uri: `${url}/device`,
      expires_in: 60,
      interval: 0,
    };
    const body = req.url === '/begin' ? device : (answers.shift() ?? { error: 'expired_token' });
    res.writeHead('error' in body ? 400 : 200).end(JSON.stringify(body));
  };
  server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const realm = () => ({
  issuer: url,
  client_id: 'tally',
  scope: 'openid profile',
  device_authorization_endpoint: `${url}/begin`,
  token_endpoint: `${url}/token`,
});

describe('signInByDevice', () => {
  it('shows the code, and asks until the user has entered it', async () => {
    answers = [{ error: 'authorization_pending' }, { access_token: 'of-the-realm' }];
    const shown: unknown[] = [];
    expect(await signInByDevice(realm(), (prompt) => shown.push(prompt))).toBe('of-the-realm');
    expect(shown).toEqual([{ address: `${url}/device`, code: 'ABCD' }]);
    expect(asked.map((form) => form.get('device_code'))).toEqual([null, 'd', 'd']);
    expect(asked[0]?.get('scope')).toBe('openid profile');
  });

  it('ends with the realm’s words when the user declines', async () => {
    answers = [{ error: 'access_denied' }];
    await expect(signInByDevice(realm(), () => {})).rejects.toThrow('access_denied');
  });

  it('says what is missing where there is no realm, or no device flow', async () => {
    await expect(signInByDevice(null, () => {})).rejects.toThrow('no single sign-on');
    await expect(signInByDevice({ issuer: url, client_id: 'tally' }, () => {})).rejects.toThrow('no device flow');
  });
});
