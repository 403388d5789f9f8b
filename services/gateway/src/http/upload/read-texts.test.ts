import { describe, expect, it } from '@jest/globals';
import { readLogfiles, readText } from './read-texts.js';

/** The text of each log. */
async function read(json: string | Buffer): Promise<Record<string, string>> {
  const logs = await readLogfiles(Buffer.from(json));
  const texts = await Promise.all([...logs].map(async ([key, text]) => [key, (await readText(text)).toString()]));
  return Object.fromEntries(texts) as Record<string, string>;
}

describe('readLogfiles', () => {
  it('reads what JSON.parse reads, whatever a simulator writes', async () => {
    const long = 'line "1"\t\\ é 🎯\u0000\u001b[0m\r\n'.repeat(50_000);
    const logs = { stdout: 'a\nb', empty: '', long, 'key "é"': '\ud800 alone', 7: 'seven' };
    const json = JSON.stringify(logs);
    const parsed = Object.entries(JSON.parse(json) as typeof logs);
    expect(Object.entries(await read(json))).toEqual(parsed.map(([key, text]) => [key, Buffer.from(text).toString()]));
    expect(await read(' { "a" : "\\u00e9\\/\\ud83d\\ude00" ,\n"b":"1","b":"2" }')).toEqual({ a: 'é/😀', b: '2' });
    expect(await read('{}')).toEqual({});
  });

  it.each([
    ['a number', '{"a":5}', 'logfiles/a'],
    ['null', '{"a":null}', 'logfiles/a'],
    ['an object', '{"a":{"b":"c"}}', 'logfiles/a'],
    ['a long list', `{"a":["${'x'.repeat(20_000)}"]}`, 'logfiles/a'],
    ['an empty key', '{"":"text"}', 'logfiles'],
    ['a key of two lines', '{"a\\nb":"text"}', 'logfiles'],
    [
      'too many logs',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`l${i}`, '']))),
      'logfiles',
    ],
  ])('refuses %s as a text', async (_what, json, field) => {
    const fields = [expect.objectContaining({ field: expect.stringContaining(field) })];
    await expect(readLogfiles(Buffer.from(json))).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields });
  });

  it.each([
    ['a list', '["a"]'],
    ['an object that does not end', '{"a":"b"'],
    ['a comma too many', '{"a":"b",}'],
    ['an escape that is none', '{"a":"\\x41"}'],
    ['a control character', '{"a":"\u0001"}'],
    ['a word that is none', '{"a":nul}'],
    ['a key that is no UTF-8', Buffer.from('{"\xff":"b"}', 'latin1')],
    ['a text that is no UTF-8', Buffer.from('{"a":"\xe9"}', 'latin1')],
    ['a later text that is no UTF-8', Buffer.from(`{"a":"${'x'.repeat(300_000)}","b":"\xe9"}`, 'latin1')],
  ])('refuses %s', async (_what, json) => {
    await expect(readLogfiles(Buffer.from(json))).rejects.toMatchObject({ reason: 'BODY_MALFORMED' });
  });

  it('serves others while it reads', async () => {
    let turns = 0;
    const next = () => {
      turns += 1;
      immediate = setImmediate(next);
    };
    let immediate = setImmediate(next);
    await readLogfiles(Buffer.from(JSON.stringify({ a: 'line\n'.repeat(1_000_000) })));
    clearImmediate(immediate);
    expect(turns).toBeGreaterThan(5); // 5 MB of text, 1 MiB each
  });
});

describe('readText', () => {
  it('is what JSON.parse reads, in one', async () => {
    const text = 'AAAA/+é'.repeat(300_000);
    const json = JSON.stringify(text).replaceAll('/', '\\/');
    expect((await readText(Buffer.from(json))).toString()).toBe(text);
    await expect(readText(Buffer.from('"\\q"'))).rejects.toMatchObject({ reason: 'BODY_MALFORMED' });
  });
});
