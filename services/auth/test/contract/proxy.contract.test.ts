import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import {
  createGrpcClient,
  Readiness,
  silentLogger,
  startGrpcServer,
  startSpan,
  startTracing,
} from '@tally/service-kit';
import { type ForwardProxy, startForwardProxy } from '@tally/testkit';
import { fetchJson } from '../../src/clients/bounded-fetch.js';

// Names that end with .invalid exist nowhere (RFC 2606): whoever gets an answer from one has asked the proxy.

const LIMITS = { timeoutMs: 30_000, bytesMax: 1_000 };
const environment = { ...process.env };
const asked: string[] = [];
const server = createServer((req, res) => {
  asked.push(`${req.method} ${req.headers.host}${req.url}`);
  req.resume().on('end', () => res.setHeader('content-type', 'application/json').end('{"issuer":"here"}'));
});
let address: string;
let proxy: ForwardProxy;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  asked.length = 0;
  const outside = ['realm.invalid:80', 'collector.invalid:4318', address];
  proxy = await startForwardProxy(new Map(outside.map((name) => [name, address])));
  process.env.HTTP_PROXY = proxy.url;
});
afterEach(async () => {
  process.env = { ...environment };
  await proxy.stop();
});
afterAll(() => void server.close());

describe('a document of the realm', () => {
  it('is fetched through the proxy of the environment', async () => {
    expect(await fetchJson('http://realm.invalid/keys', LIMITS)).toEqual({ issuer: 'here' });
    expect(await fetchJson('http://realm.invalid/token', { ...LIMITS, form: { a: 'b' } })).toEqual({ issuer: 'here' });
    expect(asked).toEqual(['GET realm.invalid/keys', 'POST realm.invalid/token']);
    expect(new Set(proxy.tunnels)).toEqual(new Set(['realm.invalid:80']));
  });

  it('is fetched past it where NO_PROXY names the host', async () => {
    process.env.NO_PROXY = 'example.org,127.0.0.1';
    expect(await fetchJson(`http://${address}/keys`, LIMITS)).toEqual({ issuer: 'here' });
    expect(proxy.tunnels).toEqual([]);
  });

  it('is not to be had from a proxy that refuses us, and its password is in no error', async () => {
    process.env.HTTP_PROXY = proxy.url.replace('secret', 'guessed');
    const err = await fetchJson('http://realm.invalid/keys', LIMITS).catch((caught: unknown) => caught);
    expect(err).toBeInstanceOf(Error);
    const { message, stack, cause } = err as Error;
    expect([message, stack, String(cause), (cause as Error | undefined)?.stack].join()).not.toContain('guessed');
    expect([asked, proxy.tunnels]).toEqual([[], []]);
  });
});

describe('traces', () => {
  it('go through the proxy of the environment', async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.invalid:4318';
    const stop = await startTracing('auth', silentLogger, process.env);
    startSpan('work', 'internal', undefined)?.end();
    await stop();
    expect(asked).toEqual(['POST collector.invalid:4318/v1/traces']);
    expect(proxy.tunnels).toEqual(['collector.invalid:4318']);
  });
});

describe('a call of a service', () => {
  it('never goes through a proxy, which would read it', async () => {
    for (const name of ['http_proxy', 'https_proxy', 'grpc_proxy']) process.env[name] = proxy.url;
    const callee = await startGrpcServer({
      address: '127.0.0.1:0',
      callers: new Map(),
      implementations: [],
      readiness: new Readiness({}),
      logger: silentLogger,
      graceMs: 1_000,
    });
    const target = `127.0.0.1:${callee.port}`;
    const caller = { caller: 'gateway', token: 'a'.repeat(40), timeoutMs: 30_000 };
    const client = createGrpcClient(auth.AuthServiceService, { target, ...caller });
    await client.checkReady(); // the proxy knows no way to it
    client.close();
    await callee.stop();
  });
});
