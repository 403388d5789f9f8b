import { describe, expect, it } from '@jest/globals';
import { createLineSplitter } from './line-splitter.js';

function split(chunks: readonly string[], lineBytesMax = 20): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter(lineBytesMax, (line) => lines.push(line));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('lines of a stream', () => {
  it('are the same however the stream is cut', () => {
    const text = 'one\r\ntwo\n\nfour';
    for (let at = 0; at <= text.length; at += 1) {
      expect(split([text.slice(0, at), text.slice(at)])).toEqual(['one', 'two', '', 'four']);
    }
  });

  it('are broken where they are too long', () => {
    expect(split(['x'.repeat(50)])).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(10)]);
  });

  it('hold no NUL and nothing that is not UTF-8', () => {
    expect(split(['a\0b\n'])).toEqual(['a\uFFFDb']);
    const lines: string[] = [];
    createLineSplitter(20, (line) => lines.push(line)).push(Uint8Array.of(0x61, 0xff, 0x0a));
    expect(lines).toEqual(['a\uFFFD']);
  });

  it('keep characters that a chunk cuts', () => {
    const lines: string[] = [];
    const splitter = createLineSplitter(20, (line) => lines.push(line));
    for (const byte of Buffer.from('é€😀\n')) splitter.push(Uint8Array.of(byte));
    expect(lines).toEqual(['é€😀']);
  });
});
