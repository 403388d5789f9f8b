import { describe, expect, it } from '@jest/globals';
import { checkThings, openUpload, type ThingRules, type UploadPart } from './upload.js';

type Part = UploadPart<string, string>;
const header: Part = { kind: 'header', header: 'h' };
const thing = (name: string): Part => ({ kind: 'thing', thing: name });
const bytes = (count: number): Part => ({ kind: 'bytes', bytes: new Uint8Array(count) });

async function check(parts: readonly Part[], overrides: Partial<ThingRules<string>> = {}) {
  const { rest } = await openUpload(
    (async function* () {
      yield* parts;
    })(),
  );
  const rules: ThingRules<string> = {
    check: (name) => name.length,
    sizeError: (name, expectedBytes) => new Error(`${name} takes ${expectedBytes}`),
    count: undefined,
    countMax: 3,
    noun: 'things',
    bytesMax: 10,
    signal: undefined,
    ...overrides,
  };
  const seen: string[] = [];
  for await (const event of checkThings(rest, rules)) seen.push(event.kind === 'start' ? event.thing : event.kind);
  return seen;
}

describe('checkThings', () => {
  it('passes a right upload on, each thing with its bytes and its end', async () => {
    expect(await check([header, thing('abc'), bytes(1), bytes(2), thing(''), thing('x'), bytes(1)])).toEqual([
      'abc',
      'bytes',
      'bytes',
      'end',
      '',
      'end',
      'x',
      'bytes',
      'end',
    ]);
  });

  it('refuses a thing as soon as it has too many bytes, and at its end when it has too few', async () => {
    await expect(check([header, thing('ab'), bytes(3)])).rejects.toThrow('ab takes 2');
    await expect(check([header, thing('ab'), bytes(1), thing('c')])).rejects.toThrow('ab takes 2');
    await expect(check([header, thing('ab'), bytes(1)])).rejects.toThrow('ab takes 2');
  });

  it('refuses what passes a limit before it passes it on', async () => {
    const things = ['a', 'b', 'c', 'd'].flatMap((name) => [thing(name), bytes(1)]);
    await expect(check([header, ...things])).rejects.toMatchObject({ reason: 'UPLOAD_TOO_LARGE' });
    await expect(check([header, thing('abcdefghijk'), bytes(11)])).rejects.toMatchObject({
      reason: 'UPLOAD_TOO_LARGE',
    });
  });

  it('refuses more things than it takes as soon as they are announced', async () => {
    const read: string[] = [];
    const rules = { count: 4, check: (name: string) => read.push(name) };
    await expect(check([header, thing('a')], rules)).rejects.toThrow('More than 3 things');
    expect(read).toEqual([]);
  });

  it('takes an upload for whole only if nobody went away and everything announced has come', async () => {
    const signal = AbortSignal.abort();
    await expect(check([header, thing('a'), bytes(1)], { signal })).rejects.toMatchObject({ reason: 'CANCELLED' });
    await expect(check([header, thing('a'), bytes(1)], { count: 2 })).rejects.toMatchObject({
      reason: 'UPLOAD_INVALID',
    });
    await expect(check([header, thing('a'), bytes(1)], { count: 1 })).resolves.toHaveLength(3);
  });
});
