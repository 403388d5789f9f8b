import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkBySchema, workspaceRoot } from '@tally/testkit';
import { ROUTES } from '../../src/http/routes/index.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.stop());

describe('GET /openapi.json', () => {
  it('200: describes every route, to anyone, and may be kept for a while', async () => {
    const { status, headers, body } = await gateway.send('GET', '/openapi.json', { cookie: '' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(Object.keys(body.paths as object).sort()).toEqual([...new Set(ROUTES.map(({ path }) => path))].sort());
  });

  it('304: to a client that has it', async () => {
    const { headers } = await gateway.send('GET', '/openapi.json');
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect(await gateway.send('GET', '/openapi.json', { headers: known })).toMatchObject({ status: 304, text: '' });
  });
});

describe('GET /schemas/project.json', () => {
  it('200: a JSON Schema, to anyone, that takes projects as submissions do; 304: to a client that has it', async () => {
    const { status, headers, body } = await gateway.send('GET', '/schemas/project.json', { cookie: '' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    const faultsOf = checkBySchema(body);
    const example = path.join(workspaceRoot(), 'examples/proton-bone-slab.json');
    expect(faultsOf(JSON.parse(readFileSync(example, 'utf8')))).toEqual([]);
    expect(faultsOf({ beam: { energy: '150' } })).toContain('/beam/energy must be number');
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect(await gateway.send('GET', '/schemas/project.json', { headers: known })).toMatchObject({
      status: 304,
      text: '',
    });
  });
});
