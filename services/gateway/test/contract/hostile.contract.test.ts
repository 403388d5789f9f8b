import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../src/http/routes/index.js';
import { parseRaw, sendRaw } from '../stand-ins/raw-http.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const submission = (simData: string) => `{"sim_type":"simA","ntasks":1,"input_type":"editor","sim_data":${simData}}`;
const deep = (depth: number) => `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;

describe('a hostile body', () => {
  it.each([
    ['objects nested 50 000 deep', submission(deep(25_000))],
    ['lists nested a million deep', submission('['.repeat(1_000_000))],
    ['a key nested deep beside the data', `{"x":${deep(600)},${submission('{}').slice(1)}`],
    ['keys of prototypes', '{"__proto__":{"sim_type":"simA"},"constructor":{"prototype":{"ntasks":1}}}'],
    ['a prototype as the data', submission('"__proto__"')],
    ['a huge number of tasks', submission('{}').replace('"ntasks":1', '"ntasks":1e308')],
    ['a number beyond all numbers', submission('{}').replace('"ntasks":1', `"ntasks":${'9'.repeat(10_000)}`)],
    ['a seed of many digits', submission('{}').replace('{', `{"seed":"${'9'.repeat(50_000)}",`)],
    ['a null byte in the title', submission('{}').replace('{', '{"title":"a\\u0000b",')],
    ['half a character in the title', submission('{}').replace('{', '{"title":"\\ud800",')],
    ['a title with escapes of a terminal', submission('{}').replace('{', '{"title":"\\u001b[2J",')],
    ['everything null', '{"sim_type":null,"ntasks":null,"input_type":null,"sim_data":null}'],
    ['everything a list', '{"sim_type":[],"ntasks":[],"input_type":[],"sim_data":[]}'],
    [
      'operators of a query language',
      '{"sim_type":{"$ne":1},"ntasks":{"$gt":0},"input_type":{"$in":[]},"sim_data":{}}',
    ],
    [
      'a lone surrogate as bytes',
      Buffer.concat([Buffer.from('{"title":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
    ],
    ['overlong UTF-8', Buffer.concat([Buffer.from('{"title":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')])],
  ])('is refused with 400: %s', async (_name, raw) => {
    const reply = await gateway.send('POST', '/jobs/direct', { raw });
    expect(reply.status).toBe(400);
    expect(gateway.jobs.calls).toEqual([]);
  });

  it('does not change what all objects inherit', async () => {
    await gateway.send('POST', '/user/update', {
      raw: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    });
    await gateway.send('GET', '/user/simulations?__proto__[polluted]=1&constructor.prototype.polluted=1');
    expect('polluted' in {}).toBe(false);
  });

  it('is refused with 400 by login and registration: control characters in the name', async () => {
    for (const username of ['a\u0000', '\u202e'.slice(1), 'a\nb', '\ud800', 'x'.repeat(129)]) {
      const json = { username, password: 'long enough' };
      expect((await gateway.send('POST', '/auth/login', { json, cookie: '' })).status).toBe(400);
      expect((await gateway.send('PUT', '/auth/register', { json, cookie: '' })).status).toBe(400);
    }
  });
});

const QUERIES = [
  'job_id=%00', 'job_id=%ff%fe', 'job_id=%', 'job_id[]=a', 'job_id[$ne]=', 'job_id=a&job_id=b', '__proto__=x', 'job_id=%ED%A0%80',
  `job_id=${'x'.repeat(8_000)}`, 'job_id=../../etc/passwd', "job_id=' OR 1=1 --", 'job_id=a%0d%0aX-Evil:%201', '&&&=&=', '%00=%00',
  'page_size=1e999', 'page_idx=-0', 'page_numbers=1-2-3', 'job_id=j&page_numbers=1-999999999999999', 'toString=1', 'job_id=😀',
]; // biome-ignore format: a list

describe('a hostile query', () => {
  it.each(QUERIES)('never gets a 500 from the gateway itself: %s', async (query) => {
    for (const { method, path, auth } of ROUTES) {
      if (method === 'POST' || method === 'PUT' || auth === 'none') continue;
      const cookie = gateway.ssoCookie;
      const line = `${method} ${path}?${query.replaceAll(' ', '+')} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n`;
      const { status, body } = parseRaw(await sendRaw(gateway.port, `${line}Connection: close\r\n\r\n`));
      // the stand-ins answer INTERNAL with a text of their own: what reached them was not refused, but did no harm
      if (status >= 500) expect(body.message).toBe('the test did not say what to answer');
    }
  });
});

describe('hostile headers', () => {
  it.each([
    ['Cookie', 'access_token'],
    ['Cookie', 'a=b; '.repeat(1_500)],
    ['Cookie', '=; ;;; =x; access_token="; __proto__=x; toString=1'],
    ['Cookie', 'access_token=%E0%A4%A'],
    ['If-None-Match', '"'.repeat(5_000)],
    ['Accept-Encoding', 'gzip;q=x, ;;;, *;q=2, \u00ff'],
    ['Origin', 'null'],
    ['Content-Length', '0'],
    ['X-Forwarded-For', "1.2.3.4, ' OR 1"],
    ['Host', 'a b'],
    ['Expect', 'something'],
  ])('never get a 500: %s: %s', async (name, value) => {
    const line = `GET /auth/status HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\nConnection: close\r\n\r\n`;
    expect(parseRaw(await sendRaw(gateway.port, Buffer.from(line, 'latin1'))).status).toBeLessThan(500);
  });
});
