import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { checkBodyHeaders, receiveBody } from './body.js';

/** What is left of a body that comes in these pieces. */
async function receive(...pieces: readonly (readonly number[])[]): Promise<string> {
  const req = Object.assign(new PassThrough(), { headers: {} });
  const taken: Buffer[] = [];
  const received = receiveBody(req as unknown as IncomingMessage, {} as ServerResponse, 100, (piece) => {
    taken.push(piece);
  });
  for (const piece of pieces) {
    req.write(Buffer.from(piece));
    await new Promise((resolve) => setImmediate(resolve));
  }
  req.end();
  await received;
  return Buffer.concat(taken).toString('latin1');
}

const [MARK, TEXT] = [
  [0xef, 0xbb, 0xbf],
  [0x7b, 0x7d],
];

describe('a body', () => {
  it.each([
    ['in one piece', [[...MARK, ...TEXT]]],
    ['before it', [MARK, TEXT]],
    ['cut in two', [MARK.slice(0, 1), [...MARK.slice(1), ...TEXT]]],
    ['that is none', [TEXT]],
  ])('loses a byte order mark %s', async (_where, pieces) => {
    expect(await receive(...pieces)).toBe('{}');
  });

  it('keeps what only begins like one', async () => {
    expect(await receive([0xef], TEXT)).toBe('\u00ef{}');
    expect(await receive([...TEXT, ...MARK])).toBe('{}\u00ef\u00bb\u00bf');
  });

  it.each(['application/json', 'application/json; charset=utf8', 'application/json;charset="UTF-8"'])(
    'is JSON as %s',
    (type) => {
      const req = { headers: { 'content-type': type } } as unknown as IncomingMessage;
      expect(() => checkBodyHeaders(req, 100)).not.toThrow();
    },
  );

  it('is not JSON in another encoding', () => {
    const req = { headers: { 'content-type': 'application/json; charset=latin1' } } as unknown as IncomingMessage;
    expect(() => checkBodyHeaders(req, 100)).toThrow(expect.objectContaining({ reason: 'CONTENT_TYPE_UNSUPPORTED' }));
  });
});
