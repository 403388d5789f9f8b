import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Gateway } from './gateway.js';
import { createHttpGateway } from './http-gateway.js';

const KEY = 'the-key';
const never = new AbortController().signal;
const UPDATE = { task_state: 'RUNNING', simulated_primaries: 0, start_time: '2026-01-01T00:00:00.000Z' } as const;

let server: http.Server;
let handle: (request: http.IncomingMessage, response: http.ServerResponse) => unknown;
let gateway: Gateway;
beforeEach(async () => {
  server = http.createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = createHttpGateway({
    url: urlOf(server),
    authorities: undefined,
    jobId: 'j',
    updateKey: KEY,
    requestTimeoutMs: 300,
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const urlOf = (listening: http.Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}/api`;
const update = () => gateway.updateTask(1, UPDATE, never);
const outputOf = (bytes: Buffer, sizeBytes = bytes.length) => ({
  primaries: 3,
  sizeBytes,
  open: () => Readable.from([bytes.subarray(0, 100_001), bytes.subarray(100_001)].filter(({ length }) => length > 0)),
});

describe('a request to the gateway', () => {
  it.each([0, 1, 2, 3, 196_607, 196_608, 1_500_000])('carries an output of %d bytes as it is', async (size) => {
    const bytes = randomBytes(size);
    const seen = new Promise<{ task_output: string; primaries: number }>((resolve) => {
      handle = async (request, response) => {
        expect([request.url, request.headers['transfer-encoding']]).toEqual(['/api/results', undefined]);
        expect(request.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-job-id': 'j' });
        resolve(JSON.parse(await text(request)) as { task_output: string; primaries: number });
        response.writeHead(202).end('{}');
      };
    });
    await gateway.putOutput(1, outputOf(bytes), never);
    const { task_output: output, primaries } = await seen;
    expect(primaries).toBe(3);
    expect(Buffer.from(output, 'base64').equals(bytes)).toBe(true);
  });

  it.each([-1, 1])('never looks complete when the output changes its size by %d meanwhile', async (change) => {
    const received: Promise<string>[] = [];
    handle = (request) => received.push(text(request));
    const bytes = randomBytes(400_000);
    const sending = gateway.putOutput(1, outputOf(bytes, bytes.length + change), never);
    await expect(sending).rejects.toThrow(/changes while it is sent|content-length/i);
    const bodies = await Promise.allSettled(received);
    expect(bodies.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });

  it('is not sent when the server does not want so much', async () => {
    let received = 0;
    server.on('checkContinue', (request: http.IncomingMessage, response: http.ServerResponse) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      response.writeHead(413, { connection: 'close' }).end('{"message":"no"}');
    });
    await expect(gateway.putOutput(1, outputOf(randomBytes(2_000_000)), never)).rejects.toMatchObject({
      message: 'POST /results: status 413: no',
      isLeftToBridge: true,
    });
    expect(received).toBe(0);
  });

  it('is sent in the end to a server that does not answer whether it wants it', async () => {
    const sizes: number[] = [];
    server.on('checkContinue', (request: http.IncomingMessage, response: http.ServerResponse) => {
      void text(request)
        .then(({ length }) => sizes.push(length))
        .then(() => response.writeHead(202).end('{}'));
    });
    const slow = { url: urlOf(server), authorities: undefined, jobId: 'j', updateKey: KEY, requestTimeoutMs: 30_000 };
    await createHttpGateway(slow).putOutput(1, outputOf(randomBytes(2_000_000)), never);
    expect(sizes).toEqual([expect.any(Number)]);
    expect(sizes[0]).toBeGreaterThan(2_600_000);
  });

  it('learns whether to stop, or to hand over what it has', async () => {
    handle = (_request, response) => response.writeHead(202).end('{"cancel":true}');
    expect(await update()).toEqual({ mustStop: true, mustFinish: false });
    handle = (_request, response) => response.writeHead(202).end('{"finish":true}');
    expect(await update()).toEqual({ mustStop: false, mustFinish: true });
    handle = (_request, response) => response.writeHead(202).end('not JSON');
    expect(await update()).toEqual({ mustStop: false, mustFinish: false });
  });

  it('is given up when nobody answers in time', async () => {
    handle = () => {};
    await expect(update()).rejects.toMatchObject({ message: 'POST /tasks: no answer in time', isPermanent: false });
  });

  it('does not read answers without end', async () => {
    handle = (_request, response) => response.writeHead(202).end('x'.repeat(1_000_000));
    await expect(update()).rejects.toThrow('the answer is too long');
  });

  it('does not go where it is sent to', async () => {
    const seen: (string | undefined)[] = [];
    handle = (request, response) => {
      seen.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    await expect(update()).rejects.toMatchObject({ status: 307, isPermanent: true, isLeftToBridge: true });
    expect(seen).toEqual(['/api/tasks']);
  });

  it.each([
    ['seconds', () => '3', 3_000],
    ['a date', () => new Date(Date.now() + 60_000).toUTCString(), 60_000],
    ['words', () => 'soon', undefined],
  ])('learns by %s in Retry-After when to repeat', async (_what, header, expected) => {
    handle = (_request, response) => response.writeHead(503, { 'retry-after': header() }).end();
    const err = await update().catch((reason: unknown) => reason);
    expect(err).toMatchObject({ status: 503, isPermanent: false });
    const { retryAfterMs } = err as { retryAfterMs: number | undefined };
    if (expected === undefined) expect(retryAfterMs).toBeUndefined();
    else expect(Math.abs((retryAfterMs ?? 0) - expected)).toBeLessThan(2_000);
  });

  it('never shows the key in an error', async () => {
    handle = (_request, response) => response.writeHead(400).end(JSON.stringify({ message: `bad ${KEY}` }));
    await expect(update()).rejects.toThrow('POST /tasks: status 400: bad [key]');
  });

  it('is aborted at once by the signal', async () => {
    handle = () => {};
    const time = new AbortController();
    const sending = gateway.appendLog(1, 0, 'x', time.signal);
    time.abort();
    await expect(sending).rejects.toMatchObject({ name: 'GatewayError' });
  });
});
