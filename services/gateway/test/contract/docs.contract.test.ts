import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.stop());

describe('GET /docs', () => {
  it('is a page whose scripts and styles all come from here', async () => {
    const page = await fetch(`${gateway.url}/docs`);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).not.toMatch(/https?:/);
    const parts = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(parts).toHaveLength(3);
    for (const path of parts) {
      const part = await fetch(`${gateway.url}${path}`);
      expect([path, part.status, (await part.text()).length > 50]).toEqual([path, 200, true]);
    }
  });

  it('runs no inline script and is framed by nobody', async () => {
    const { headers } = await fetch(`${gateway.url}/docs`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    const { headers: others } = await gateway.send('GET', '/livez');
    expect(others.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
  });

  it('is nowhere else, and takes nothing', async () => {
    expect((await gateway.send('GET', '/docs/package.json')).status).toBe(404);
    expect((await gateway.send('POST', '/docs', { json: {} })).status).toBe(404);
  });
});

describe('a page of the gateway itself', () => {
  it('may use the sessions of its visitors without being on the list of origins', async () => {
    gateway.auth.answers.updateUser = async () => ({ user: undefined });
    const send = (origin: string) =>
      gateway.send('POST', '/user/update', { json: { display_name: 'Ada' }, headers: { Origin: origin } });
    expect((await send(gateway.url)).status).toBe(200);
    expect((await send(gateway.url.replace('http:', 'https:'))).status).toBe(403);
    expect((await send('http://127.0.0.1:1')).status).toBe(403);
  });
});
