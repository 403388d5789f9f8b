import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import express, { type Request, type Response } from 'express';
import { startHttpServer } from './server.js';

it("gives all requests one shape, and all answers, so that V8's look-ups in them are cached", async () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameShape = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
  const seen: { readonly req: Request; readonly res: Response }[] = [];
  const app = express().get('/', (req, res) => {
    seen.push({ req, res });
    res.json({ app: req.app === res.app, ip: req.ip });
  });
  const server = await startHttpServer({
    address: '127.0.0.1:0',
    app,
    headerBytesMax: 16_384,
    headersTimeoutMs: 5_000,
    receiveTimeoutMs: 5_000,
    graceMs: 1_000,
  });
  for (let i = 0; i < 4; i++) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(await answer.json()).toEqual({ app: true, ip: '127.0.0.1' });
  }
  await server.stop();
  const [, , one, other] = seen; // the first ones may be made while their shapes are
  if (one === undefined || other === undefined) throw new Error('four requests were sent');
  expect([haveSameShape(one.req, other.req), haveSameShape(one.res, other.res)]).toEqual([true, true]);
});
