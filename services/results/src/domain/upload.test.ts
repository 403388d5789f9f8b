import { describe, expect, it } from '@jest/globals';
import { type Announcement, checkUpload, type ItemRules, openUpload, type ReceivedPart } from './upload.js';

type Part = ReceivedPart<string, string>;
const header: Part = { kind: 'header', header: 'h' };
const item = (name: string): Part => ({ kind: 'item', item: name });
const bytes = (count: number): Part => ({ kind: 'bytes', bytes: new Uint8Array(count) });

async function check(parts: readonly Part[], overrides: Partial<ItemRules<string> & Announcement> = {}) {
  const { rest } = await openUpload(
    (async function* () {
      yield* parts;
    })(),
  );
  const rules = {
    check: (name: string) => name.length,
    sizeError: (name: string, expectedBytes: number) => new Error(`${name} takes ${expectedBytes}`),
    count: undefined,
    countMax: 3,
    noun: 'items',
    bytesMax: 10,
    signal: undefined,
    ...overrides,
  };
  const seen: string[] = [];
  for await (const part of checkUpload(rest, rules, rules)) seen.push(part.kind === 'start' ? part.item : part.kind);
  return seen;
}

describe('checkUpload', () => {
  it('passes a right upload on, each item with its bytes and its end', async () => {
    expect(await check([header, item('abc'), bytes(1), bytes(2), item(''), item('x'), bytes(1)])).toEqual([
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

  it('refuses an item as soon as it has too many bytes, and at its end when it has too few', async () => {
    await expect(check([header, item('ab'), bytes(3)])).rejects.toThrow('ab takes 2');
    await expect(check([header, item('ab'), bytes(1), item('c')])).rejects.toThrow('ab takes 2');
    await expect(check([header, item('ab'), bytes(1)])).rejects.toThrow('ab takes 2');
  });

  it('refuses what passes a limit before it passes it on', async () => {
    const items = ['a', 'b', 'c', 'd'].flatMap((name) => [item(name), bytes(1)]);
    await expect(check([header, ...items])).rejects.toMatchObject({ reason: 'UPLOAD_TOO_LARGE' });
    await expect(check([header, item('abcdefghijk'), bytes(11)])).rejects.toMatchObject({
      reason: 'UPLOAD_TOO_LARGE',
    });
  });

  it('refuses more items than it takes as soon as they are announced', async () => {
    const read: string[] = [];
    const rules = { count: 4, check: (name: string) => read.push(name) };
    await expect(check([header, item('a')], rules)).rejects.toThrow('More than 3 items');
    expect(read).toEqual([]);
  });

  it('takes an upload for whole only if nobody went away and everything announced has come', async () => {
    const signal = AbortSignal.abort();
    await expect(check([header, item('a'), bytes(1)], { signal })).rejects.toMatchObject({ reason: 'CANCELLED' });
    await expect(check([header, item('a'), bytes(1)], { count: 2 })).rejects.toMatchObject({
      reason: 'UPLOAD_INVALID',
    });
    await expect(check([header, item('a'), bytes(1)], { count: 1 })).resolves.toHaveLength(3);
  });
});
