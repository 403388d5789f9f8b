import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

const OURS = 'https://app.example.org';
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ origins: [OURS, 'http://localhost:5173'] });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const FOREIGN = [
  'https://evil.example', 'null', 'https://app.example.org.evil.example', 'http://app.example.org',
  'https://app.example.org:8443', 'https://APP.example.org', 'https://app.example.org/', `${OURS}, https://evil.example`, '*',
]; // biome-ignore format: a list
const logout = (origin?: string, cookie?: string) =>
  gateway.send('DELETE', '/auth/logout', {
    ...(cookie === undefined ? {} : { cookie }),
    headers: origin === undefined ? {} : { Origin: origin },
  });

describe('a changing request with a session cookie', () => {
  it.each(FOREIGN)('is refused from %s, and changes nothing', async (origin) => {
    gateway.auth.answers.deleteSession = async () => ({});
    for (const cookie of [undefined, 'refresh_token=r-1']) {
      const reply = await logout(origin, cookie);
      expect([reply.status, reply.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(gateway.auth.calls.filter(({ rpc }) => rpc === 'deleteSession')).toEqual([]);
  });

  it('is taken from a listed origin, and from a script without one', async () => {
    gateway.auth.answers.deleteSession = async () => ({});
    expect((await logout(OURS)).status).toBe(200);
    gateway.reset();
    gateway.auth.answers.deleteSession = async () => ({});
    expect((await logout(undefined, gateway.cookie({ sid: 'script' }))).status).toBe(200);
  });

  it('is refused whatever route it asks for', async () => {
    for (const [method, path] of [
      ['POST', '/jobs/direct'],
      ['DELETE', '/jobs/direct?job_id=j'],
      ['DELETE', '/user/simulations?job_id=j'],
      ['POST', '/user/update'],
      ['POST', '/auth/login'],
    ] as const) {
      expect((await gateway.send(method, path, { headers: { Origin: 'https://evil.example' } })).status).toBe(403);
    }
  });
});

describe('CORS', () => {
  const cookie = () => gateway.cookie({ sid: 'cors' });

  it('lets a listed origin read, with credentials', async () => {
    const reply = await gateway.send('GET', '/auth/status', { cookie: cookie(), headers: { Origin: OURS } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBe(OURS);
    expect(reply.headers.get('access-control-allow-credentials')).toBe('true');
    expect(reply.headers.get('access-control-expose-headers')).toContain('X-Request-ID');
    expect(reply.headers.get('vary')).toContain('Origin');
  });

  it('lets a listed origin read errors too', async () => {
    const reply = await gateway.send('GET', '/auth/status', { cookie: '', headers: { Origin: OURS } });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([401, OURS]);
  });

  it.each(['GET', 'POST', 'OPTIONS'])('lets a listed origin read that a path is unknown: %s', async (method) => {
    const ask = (origin: string) =>
      gateway.send(method, '/no/such/path', {
        cookie: '',
        headers: { Origin: origin },
        ...(method === 'POST' ? { json: {} } : {}),
      });
    const ours = await ask(OURS);
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([404, OURS]);
    expect(ours.headers.get('access-control-allow-credentials')).toBe('true');
    const foreign = await ask('https://evil.example');
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([404, null]);
    expect(foreign.headers.get('vary')).toContain('Origin');
  });

  it.each(FOREIGN)('gives no permission to %s', async (origin) => {
    const reply = await gateway.send('GET', '/auth/status', { cookie: cookie(), headers: { Origin: origin } });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    expect(reply.headers.get('vary')).toContain('Origin');
  });

  it('answers the preflight of a listed origin with methods and headers, of others with neither', async () => {
    const ask = (origin: string) =>
      gateway.send('OPTIONS', '/jobs/direct', {
        cookie: '',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const ours = await ask('http://localhost:5173');
    expect(ours.status).toBe(204);
    expect(ours.headers.get('access-control-allow-methods')).toBe('POST, GET, DELETE, HEAD, OPTIONS');
    expect(ours.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['Authorization', 'Idempotency-Key', 'traceparent', 'tracestate', 'baggage']),
    );
    const foreign = await ask('https://evil.example');
    expect(foreign.headers.get('access-control-allow-methods')).toBeNull();
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });
});
