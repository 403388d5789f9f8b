import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../src/http/routes/index.js';
import { parseRaw, sendRaw } from '../stand-ins/raw-http.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ bodyBytesMax: 2_000, headerBytesMax: 8_192, receiveTimeoutMs: 1_000 });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const PATHS = [...new Set(ROUTES.map(({ path }) => path))];
const methodsOf = (path: string) => ROUTES.filter((route) => route.path === path).map(({ method }) => method);
const WITH_BODY = ROUTES.filter(({ body }) => body !== undefined).map(({ method, path }) => [method, path] as const);

describe('404', () => {
  it.each([
    '/nothing',
    '/jobs/direct/',
    '/Jobs',
    '/jobs/direct/x',
    '//',
    '/%',
    '/jobs%2Fdirect',
    '/..',
    '/.git/config',
  ])('JSON of %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      const raw = await sendRaw(gateway.port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const { status, body } = parseRaw(raw);
      expect([status, body.code, body.status_code]).toEqual([404, 'PATH_NOT_FOUND', 404]);
    }
  });
});

describe('405', () => {
  it.each(PATHS)('with Allow: every method that %s does not have', async (path) => {
    const methods = methodsOf(path);
    const allowed = new Set<string>([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      if (allowed.has(method)) continue;
      const reply = await gateway.send(method, path);
      expect(reply.status).toBe(405);
      expect(new Set(reply.headers.get('allow')?.split(', '))).toEqual(allowed);
      if (method !== 'HEAD') expect(reply.body.code).toBe('METHOD_NOT_ALLOWED');
    }
    const options = await gateway.send('OPTIONS', path);
    expect([options.status, new Set(options.headers.get('allow')?.split(', '))]).toEqual([204, allowed]);
  });
});

describe.each(WITH_BODY)('the body of %s %s', (method, path) => {
  const cookie = () => (path.startsWith('/admin/') ? gateway.operatorCookie : gateway.ssoCookie);

  it('415: another type, charset or encoding', async () => {
    const others: Record<string, string>[] = [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'application/json; charset=latin1' },
      { 'Content-Type': 'application/jsonp' },
      { 'Content-Type': '' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    ];
    for (const headers of others) {
      const reply = await gateway.send(method, path, { raw: '{}', headers, cookie: cookie() });
      expect([reply.status, reply.body.code]).toEqual([415, 'CONTENT_TYPE_UNSUPPORTED']);
    }
  });

  it('400: not JSON, not UTF-8, no object, or none at all', async () => {
    for (const raw of [
      '{',
      '',
      '{"a":1}x',
      "{'a':1}",
      '{"a":NaN}',
      'null',
      '[]',
      '"x"',
      '7',
      Buffer.from([0x22, 0xff, 0x22]),
    ]) {
      const reply = await gateway.send(method, path, { raw, cookie: cookie() });
      expect(reply.status).toBe(400);
      expect(reply.body.code).toBe(raw === '' ? 'REQUEST_INVALID' : 'BODY_MALFORMED');
    }
  });

  it('takes JSON with a charset and in any case', async () => {
    const headers = { 'Content-Type': 'Application/JSON; Charset="UTF-8"' };
    expect((await gateway.send(method, path, { raw: '{}', headers, cookie: cookie() })).body.code).toBe(
      'REQUEST_INVALID',
    );
  });
});

describe('413', () => {
  it('before the body is sent, to a client that asks first', async () => {
    const head = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
    const answer = await sendRaw(gateway.port, `${head}Content-Length: 2001\r\nExpect: 100-continue\r\n\r\n`);
    expect(parseRaw(answer)).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect(answer).not.toContain('100 Continue');
  });

  it('of a body whose length is not announced, as soon as there is too much', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const req = httpRequest(`${gateway.url}/auth/login`, { method: 'POST', headers }, (res) => {
        resolve(res.statusCode);
        res.resume();
        req.destroy();
      });
      req.on('error', reject);
      req.write(`{"username":"${'x'.repeat(3_000)}`); // and never the end
    });
    expect(status).toBe(413);
  });

  it('not of a body at the limit', async () => {
    const raw = `{"username":"ada"}`.padEnd(2_000);
    expect((await gateway.send('POST', '/auth/login', { raw, cookie: '' })).status).toBe(400);
    expect((await gateway.send('POST', '/auth/login', { raw: `${raw} `, cookie: '' })).status).toBe(413);
  });

  it('says 100 Continue when it wants the body', async () => {
    const head = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
    const answer = await sendRaw(gateway.port, `${head}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`);
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
  });
});

describe('what is not HTTP as it should be', () => {
  it.each([
    ['400 REQUEST_MALFORMED', 'GARBAGE\r\n\r\n'],
    ['400 REQUEST_MALFORMED', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n'],
    ['400 REQUEST_MALFORMED', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n'],
    ['400 REQUEST_MALFORMED', 'GET http://a:99999999/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      '400 REQUEST_MALFORMED',
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['431 HEADERS_TOO_LARGE', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`],
  ])('is answered in JSON: %s', async (expected, request) => {
    const { status, head, body } = parseRaw(await sendRaw(gateway.port, request));
    expect(`${status} ${String(body.code)}`).toBe(expected);
    expect(head).toContain('Content-Type: application/json');
  });

  it('takes the absolute form of a target, as every server must', async () => {
    const raw = await sendRaw(
      gateway.port,
      'GET http://x:80/livez?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(parseRaw(raw)).toMatchObject({ status: 200, body: { message: 'alive' } });
  });

  it('408 of a request that does not arrive', async () => {
    const head =
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{';
    expect(await sendRaw(gateway.port, head)).toMatch(/^HTTP\/1.1 408 [\s\S]*REQUEST_TIMEOUT/);
  });
});

describe('headers', () => {
  it('X-Request-ID is echoed when it is sane, replaced when not, and travels to the services', async () => {
    gateway.jobs.answers.listSimulators = async () => ({ simulators: [], confinements: [] });
    const sane = await gateway.send('GET', '/simulators', { headers: { 'X-Request-ID': 'client-1' } });
    expect(sane.headers.get('x-request-id')).toBe('client-1');
    expect(gateway.jobs.calls.at(-1)?.context?.requestId).toBe('client-1');
    for (const id of ['x'.repeat(129), 'a b', '-', 'ü', '{"a":1}', '$(id)']) {
      const reply = await gateway.send('GET', '/', { headers: { 'X-Request-ID': id } });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('say nothing of the software, and forbid sniffing, framing and storing', async () => {
    const { headers } = await gateway.send('GET', '/auth/status');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('of HEAD are those of GET, without a body', async () => {
    const head = await gateway.send('HEAD', '/');
    const get = await gateway.send('GET', '/');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});
