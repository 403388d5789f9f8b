import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createConsole } from '../../src/http/server/console.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-console-'));
let url: string;
let server: ReturnType<typeof createServer>;
beforeAll(async () => {
  fs.mkdirSync(path.join(folder, 'bundle/assets'), { recursive: true });
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  write('secret.txt', 'outside');
  write('bundle/index.html', '<!doctype html><p>page');
  write('bundle/assets/a-1.js', 'const a = 1;');
  write('bundle/assets/check-worker-B_j2.js', 'const b = 2;');
  fs.writeFileSync(path.join(folder, 'bundle/assets/a-1.js.gz'), gzipSync('const a = 1;'));
  server = createServer(express().use(createConsole(path.join(folder, 'bundle'))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  fs.rmSync(folder, { recursive: true });
});

const get = (target: string, headers: Record<string, string> = {}) =>
  fetch(url + target, { redirect: 'manual', headers: { 'Accept-Encoding': 'identity', ...headers } });

describe('GET /console/', () => {
  it('gives the page for every address of the console, and never an old one', async () => {
    for (const target of [
      '/console/',
      '/console/jobs/20260101-000000-x/results?page=1',
      '/console/%',
      '/console/..%2fsecret.txt',
    ]) {
      const response = await get(target);
      expect([target, response.status, await response.text()]).toEqual([target, 200, '<!doctype html><p>page']);
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
    expect((await get('/console')).headers.get('location')).toBe('/console/');
  });

  it('runs scripts of its own origin only', async () => {
    const policy = (await get('/console/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe-eval|http|\*/);
  });

  it('lets the worker of the editor’s checks, and nothing else, compile WebAssembly', async () => {
    const policyOf = async (target: string) => (await get(target)).headers.get('content-security-policy');
    expect(await policyOf('/console/assets/check-worker-B_j2.js')).toContain("script-src 'self' 'wasm-unsafe-eval';");
    for (const target of ['/console/', '/console/assets/a-1.js', '/console/check-worker-B_j2.js'])
      expect(await policyOf(target)).toContain("script-src 'self';");
  });

  it('gives assets compressed to who takes that, for good; what is none is nothing', async () => {
    const plain = await get('/console/assets/a-1.js');
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'const a = 1;']);
    expect(plain.headers.get('content-type')).toMatch(/^text\/javascript/);
    const small = await get('/console/assets/a-1.js', { 'Accept-Encoding': 'gzip' });
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual(['gzip', 'const a = 1;']);
    expect(small.headers.get('cache-control')).toContain('immutable');
    expect((await get('/console/assets/b-2.js')).status).toBe(404);
  });
});
