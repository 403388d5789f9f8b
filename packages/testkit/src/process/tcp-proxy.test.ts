import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** Answers every byte with itself. */
let echo: Server;
let proxy: TcpProxy;
beforeEach(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy = await startTcpProxy(`127.0.0.1:${address.port}`, () => 0);
});
afterEach(async () => {
  await proxy.close();
  echo.close();
});

async function open(): Promise<Socket> {
  const [host = '', port = ''] = proxy.address.split(':');
  const socket = connect(Number(port), host);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** However it ends. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });

async function answer(socket: Socket, text: string): Promise<{ text: string; ms: number }> {
  const from = performance.now();
  socket.write(text);
  let got = '';
  while (got.length < text.length) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    got += bytes.toString();
  }
  return { text: got, ms: performance.now() - from };
}

describe('a way between two processes', () => {
  it('passes everything in both directions, in order', async () => {
    const socket = await open();
    const long = 'abcdefghij'.repeat(100_000);
    expect((await answer(socket, long)).text).toBe(long);
    socket.destroy();
  });

  it('that is delayed gives everything later, and in order', async () => {
    const socket = await open();
    proxy.set({ kind: 'delayed', delayMs: 60 });
    const { text, ms } = await answer(socket, 'hello');
    expect([text, ms >= 119]).toEqual(['hello', true]); // there and back
    socket.destroy();
  });

  it('that loses what passes gives it after a retransmission', async () => {
    const socket = await open();
    proxy.set({ kind: 'lossy', share: 0.05 });
    const { text, ms } = await answer(socket, 'hello');
    expect([text, ms >= 398]).toEqual(['hello', true]);
    socket.destroy();
  });

  it('that is half open gives nothing to connections of that time, for ever, and says nothing to either side', async () => {
    const before = await open();
    proxy.set({ kind: 'half-open' });
    const meanwhile = await open();
    let heardCount = 0;
    for (const socket of [before, meanwhile]) {
      for (const event of ['data', 'end', 'close']) socket.on(event, () => heardCount++);
      socket.write('hello');
    }
    proxy.set({ kind: 'up' });
    const after = await open();
    for (const text of ['one', 'two']) expect((await answer(after, text)).text).toBe(text);
    expect(heardCount).toBe(0);
    for (const socket of [before, meanwhile, after]) socket.destroy();
  });

  it('that is cut resets what is open and what is opened, and is well again afterwards', async () => {
    const socket = await open();
    const ended = closed(socket);
    proxy.set({ kind: 'cut' });
    await ended;
    const [host = '', port = ''] = proxy.address.split(':');
    await closed(connect(Number(port), host));
    proxy.set({ kind: 'up' });
    const again = await open();
    expect((await answer(again, 'hello')).text).toBe('hello');
    again.destroy();
  });
});
