import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../src/http/routes/index.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
let frontend: Server;
const seen: IncomingMessage[] = [];
beforeAll(async () => {
  frontend = createServer((req, res) => {
    seen.push(req);
    res.setHeader('Set-Cookie', 'access_token=stolen; Path=/');
    res.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>page ${req.url}</p>`);
  });
  await new Promise<void>((resolve) => frontend.listen(0, '127.0.0.1', resolve));
  const { port } = frontend.address() as AddressInfo;
  gateway = await startGatewayUnderTest({ frontendUrl: `http://127.0.0.1:${port}` });
});
afterEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  await gateway.stop();
  frontend.close();
});

describe('a frontend under the same origin', () => {
  it('gets every GET that is not of the API, with its query', async () => {
    for (const path of ['/index.html', '/assets/app.js?v=1', '/jobs/new', '/favicon.ico', '/Jobs/direct']) {
      const response = await fetch(`${gateway.url}${path}`);
      expect([response.status, await response.text()]).toEqual([200, `<p>page ${path}</p>`]);
    }
  });

  it('never gets a path of the API, nor a request that is not GET', async () => {
    for (const { method, path } of ROUTES) await gateway.send(method, path, { cookie: '' });
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await gateway.send(method, '/index.html')).status).toBe(404);
    }
    expect(seen).toEqual([]);
  });

  it('never sees a session and cannot set one', async () => {
    const response = await fetch(`${gateway.url}/index.html`, {
      headers: { Cookie: `${gateway.cookie()}; refresh_token=r; theme=dark`, Authorization: 'Bearer x' },
    });
    await response.text();
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(seen[0]?.headers.cookie).toBeUndefined();
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(seen[0]?.rawHeaders)).not.toContain('access_token');
  });

  it('keeps its own headers: those of the API do not apply to pages', async () => {
    const response = await fetch(`${gateway.url}/index.html`);
    expect(response.headers.get('content-security-policy')).toBeNull();
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('502 in JSON when it is down, and the API goes on', async () => {
    const copy = await startGatewayUnderTest({ frontendUrl: 'http://127.0.0.1:1' });
    const reply = await copy.send('GET', '/index.html');
    expect([reply.status, reply.body.code]).toEqual([502, 'FRONTEND_UNAVAILABLE']);
    expect(reply.text).not.toContain('127.0.0.1');
    expect((await copy.send('GET', '/')).status).toBe(200);
    await copy.stop();
  });
});
