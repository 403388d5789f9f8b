import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection, encodeRequest, sendOnce } from './connection.mjs';

let server;
let url;
let connectionCount = 0;
const ANSWERS = {
  '/length': (_req, res) => res.end('{"a":1}'),
  '/pieces': async (_req, res) => {
    // the end of a piece and its number in different packets
    for (const piece of ['{"b":', '[1,', '2]}']) {
      res.write(piece);
      await new Promise(setImmediate);
    }
    res.end();
  },
  '/none': (_req, res) => res.writeHead(204).end(),
  '/close': (_req, res) => res.writeHead(200, { connection: 'close' }).end('{}'),
  '/cut': (req, res) => {
    res.writeHead(200, { 'content-length': 10 }).write('half');
    setImmediate(() => req.socket.destroy());
  },
  '/echo': (req, res) => {
    let body = '';
    req.on('data', (piece) => {
      body += piece;
    });
    req.on('end', () => res.writeHead(201, { 'set-cookie': ['a=1; HttpOnly', 'b=2'] }).end(body));
  },
};

beforeAll(async () => {
  server = createServer((req, res) => ANSWERS[req.url](req, res)).listen(0, '127.0.0.1');
  server.on('connection', () => connectionCount++);
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
afterAll(() => server.close());

describe('a connection', () => {
  it('reads answers with a length, in pieces and without a body, one after the other', async () => {
    const connection = new Connection(url);
    const before = connectionCount;
    const read = async (path) => {
      const answer = await connection.send(encodeRequest(url, { path }), true);
      return [answer.status, answer.body().toString()];
    };
    expect(await read('/length')).toEqual([200, '{"a":1}']);
    expect(await read('/pieces')).toEqual([200, '{"b":[1,2]}']);
    expect(await read('/none')).toEqual([204, '']);
    expect(await read('/length')).toEqual([200, '{"a":1}']);
    expect(connectionCount - before).toBe(1);
    connection.close();
  });

  it('is made again when the server has closed it', async () => {
    const connection = new Connection(url);
    await connection.send(encodeRequest(url, { path: '/close' }));
    expect((await connection.send(encodeRequest(url, { path: '/length' }))).status).toBe(200);
    server.closeIdleConnections();
    expect((await connection.send(encodeRequest(url, { path: '/length' }))).status).toBe(200);
    connection.close();
  });

  it('takes half an answer for none', async () => {
    const connection = new Connection(url);
    await expect(connection.send(encodeRequest(url, { path: '/cut' }))).rejects.toThrow('before the end');
  });
});

describe('a request of its own', () => {
  it('sends JSON, and gives body and cookies', async () => {
    const answer = await sendOnce(url, { method: 'POST', path: '/echo', body: { text: 'ü' } });
    expect(answer).toMatchObject({ status: 201, json: { text: 'ü' }, cookies: ['a=1', 'b=2'] });
  });
});
