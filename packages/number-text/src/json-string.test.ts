import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { jsonStringPieces, jsonStringText } from './json-string.js';

const escaped = (text: Uint8Array) => Buffer.concat([...jsonStringPieces(text)]);
const byStringify = (text: Uint8Array) =>
  Buffer.from(JSON.stringify(Buffer.from(text).toString('latin1')), 'latin1').subarray(1, -1);

describe('a text as the inside of a JSON string', () => {
  it('is that of JSON.stringify for every byte at every place of sixteen', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 16; place++) {
        const text = Buffer.alloc(16, 'x');
        text[place] = byte;
        expect(escaped(text)).toEqual(byStringify(text));
        expect(escaped(text.subarray(0, place + 1))).toEqual(byStringify(text.subarray(0, place + 1)));
      }
    }
  });

  it('is the same in pieces, also where every byte becomes six', () => {
    for (const text of [Buffer.alloc(300_001, 1), Buffer.alloc(150_000, 'é\n"'), Buffer.alloc(0)]) {
      expect(escaped(text).equals(byStringify(text))).toBe(true);
    }
  });

  it('reads back the same', () => {
    const text = 'a"\\\u0000\u001f\u007f\u2028é🎯\r\n\b\f\t'.repeat(5_000);
    expect(JSON.parse(`"${escaped(Buffer.from(text)).toString()}"`)).toBe(text);
  });
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined: it is refused. */
function orUndefined(read: () => Buffer): Buffer | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const copy = (piece: Uint8Array) => Buffer.from(piece);
const unescaped = (json: Uint8Array) => orUndefined(() => Buffer.concat([...jsonStringText(json, copy)]));
const byParse = (json: Uint8Array) => orUndefined(() => Buffer.from(JSON.parse(utf8.decode(json)) as string));
const quoted = (...inside: readonly (string | Uint8Array)[]) =>
  Buffer.concat(['"', ...inside, '"'].map((part) => Buffer.from(part)));

/** As JSON.parse reads it, or refused as by it; a matcher for each would take most of the time. */
function expectSame(json: Uint8Array): void {
  const [read, wanted] = [unescaped(json), byParse(json)];
  if (read === undefined || wanted === undefined ? read !== wanted : !read.equals(wanted)) expect(read).toEqual(wanted);
}

describe('what a JSON string says', () => {
  it('is that of JSON.parse for every byte at every place of sixteen, and behind a backslash', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 16; place++) {
        const text = Buffer.alloc(16, 'x');
        text[place] = byte;
        expectSame(quoted(text));
        expectSame(quoted(text.subarray(0, place + 1)));
        if (place > 0) text[place - 1] = 0x5c;
        expectSame(quoted(text));
      }
    }
  });

  it('is that of JSON.parse for each code', () => {
    for (let code = 0; code < 0x10000; code++) {
      const digits = code.toString(16).padStart(4, '0');
      expectSame(quoted(`\\u${digits}\\u${digits.toUpperCase()}x`));
    }
  });

  it('is that of JSON.parse for surrogates that are pairs, alone, or before anything else', () => {
    const parts = ['\\ud83d', '\\uDE00', '\\udbff', '\\udc00', '\\n', '\\u0041', 'é', 'u', '\\\\', '🎯', ''];
    for (const a of parts) for (const b of parts) for (const c of parts) expectSame(quoted(a, b, c));
  });

  it.each([
    ['no quote', ''],
    ['one quote', '"'],
    ['an escaped quote at the end', '"a\\"'],
    ['an escape that is none', '"\\x41"'],
    ['digits that are none', '"\\u00g0"'],
    ['too few digits', '"\\u00e"'],
    ['no digits behind half a pair', '"\\ud83d\\u"'],
    ['a quote inside', '"a"b"'],
    ['a line feed', '"a\nb"'],
    ['a zero', '"a\0b"'],
    ['bytes that are no UTF-8', Buffer.from('"\xff"', 'latin1')],
    ['half a character', Buffer.from('"\xc3"', 'latin1')],
    ['a surrogate as bytes', Buffer.from('"\xed\xa0\x80"', 'latin1')],
    ['a byte too many at the end of a part', Buffer.concat([quoted('x'.repeat(65_535)), Buffer.from([0x80])])],
    ['continuations only', quoted(Buffer.alloc(200_000, 0x80))],
  ])('is refused: %s', (_, json) => {
    expect(byParse(Buffer.from(json))).toBeUndefined();
    expect(unescaped(Buffer.from(json))).toBeUndefined();
  });

  it('is the same wherever parts and pieces end, in whole characters', () => {
    const rows = ['plain text of a log, ', 'é', '🎯', '\\n', '\\u00e9', '\\ud83d\\ude00', '\\ud83d', '\\u0000\\"'];
    for (const row of rows) {
      for (let shift = 0; shift < 24; shift++) {
        const json = quoted('x'.repeat(shift), row.repeat(Math.ceil(600_000 / row.length)));
        const pieces = [...jsonStringText(json, copy)];
        expect(Buffer.concat(pieces).equals(byParse(json) ?? Buffer.alloc(0))).toBe(true);
        expect(pieces.every((piece) => piece.length <= 256 * 1024 && isUtf8(piece))).toBe(true);
      }
    }
  });

  it('is nothing in no piece', () => {
    expect([...jsonStringText(quoted(), copy)]).toEqual([]);
  });
});
