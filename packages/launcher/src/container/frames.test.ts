import { describe, expect, it } from '@jest/globals';
import { createFrameReader, encodeFrame, type FrameKind } from './frames.js';

const FRAMES: [FrameKind, string][] = [
  ['message', '{"type":"hello"}'],
  ['stdout', ''],
  ['stderr', 'µ±∞'],
  ['stdout', 'x'.repeat(1_000)],
];

describe('frames', () => {
  it.each([1, 2, 5, 7, 64, 100_000])('come whole when bytes come in pieces of %i', (pieceBytes) => {
    const bytes = Buffer.concat(FRAMES.map(([kind, text]) => encodeFrame(kind, text)));
    const heard: [FrameKind, string][] = [];
    const read = createFrameReader((kind, text) => heard.push([kind, text]));
    for (let at = 0; at < bytes.length; at += pieceBytes) read(bytes.subarray(at, at + pieceBytes));
    expect(heard).toEqual(FRAMES);
  });

  it.each([
    ['of an unknown kind', [9, 0, 0, 0, 0]],
    ['longer than any', [0, 255, 0, 0, 0]],
  ])('%s are refused', (_what, bytes) => {
    expect(() => createFrameReader(() => {})(Buffer.from(bytes))).toThrow('no frame');
  });
});
