import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpError } from './http-error.js';
import { TallyClient } from './tally-client.js';

let server: Server;
let url: string;
const received: { method?: string; url?: string; cookie?: string; key?: string }[] = [];

/** Answers as the gateway does, as far as a client can tell. */
beforeAll(async () => {
  server = createServer((req, res) => {
    const { method, url: target, headers } = req;
    received.push({ method, url: target, cookie: headers.cookie, key: String(headers['idempotency-key']) });
    const isLogout = target === '/auth/logout';
    if (target === '/auth/login')
      res.setHeader('Set-Cookie', ['access_token=a.b=c; HttpOnly; Secure', 'refresh_token=r']);
    if (isLogout) res.setHeader('Set-Cookie', ['access_token=; Max-Age=0', 'refresh_token=; Max-Age=0']);
    res.statusCode = target?.startsWith('/results') === true ? 404 : 200;
    res.end(JSON.stringify({ message: 'said', method, url: target }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

describe('the client', () => {
  it('keeps the cookies of a login, Secure ones too, until a logout clears them', async () => {
    const client = new TallyClient(url);
    await client.request('POST', '/auth/login', { body: { username: 'ada', password: 'a long one' } });
    await client.request('GET', '/auth/status');
    expect(received.at(-1)?.cookie).toBe('access_token=a.b=c; refresh_token=r');
    await client.request('DELETE', '/auth/logout');
    await client.request('GET', '/limits');
    expect(received.at(-1)?.cookie).toBeUndefined();
  });

  it('writes query and headers, and leaves out what is undefined', async () => {
    const client = new TallyClient(url);
    await client.request('GET', '/user/simulations', {
      query: { page_size: 5, order_by: undefined, job_state: 'A,B' },
    });
    expect(received.at(-1)?.url).toBe('/user/simulations?page_size=5&job_state=A%2CB');
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: {} } as const;
    await client.request('POST', '/jobs/direct', { body, headers: { 'Idempotency-Key': 'k-1' } });
    expect(received.at(-1)?.key).toBe('k-1');
  });

  it('throws what is not a success, with the answer', async () => {
    const failed = new TallyClient(url).request('GET', '/results', { query: { job_id: 'x' } });
    await expect(failed).rejects.toThrow(HttpError);
    await expect(failed).rejects.toMatchObject({ message: 'GET /results: 404 said', answer: { status: 404 } });
  });

  it('shows every exchange to an observer, which may refuse it', async () => {
    const client = new TallyClient(url, ({ path, query, status }) => {
      if (query.job_id === 'refused') throw new Error(`${path} ${status}`);
    });
    await expect(client.send('GET', '/jobs?job_id=refused')).rejects.toThrow('/jobs 200');
    expect((await client.send('GET', '/jobs?job_id=other')).status).toBe(200);
  });
});
