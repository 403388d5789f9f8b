import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { getDefaultHighWaterMark, PassThrough, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createPieceMemory, LONG_PIECE_BYTES } from './piece-memory.js';

const MEMORY_BYTES = 256 * 1024;
const filled = (byteLength: number, value: number) => new Uint8Array(byteLength).fill(value);

describe('the memory of pieces', () => {
  it('is the same for long pieces, and their own for others', () => {
    const copy = createPieceMemory();
    const [short, long, longest, over] = [
      copy(filled(LONG_PIECE_BYTES - 1, 1)),
      copy(filled(LONG_PIECE_BYTES, 2)),
      copy(filled(MEMORY_BYTES, 3)),
      copy(filled(MEMORY_BYTES + 1, 4)),
    ];
    expect([short.byteLength, short[0]]).toEqual([LONG_PIECE_BYTES - 1, 1]);
    expect([longest.byteLength, longest[0]]).toEqual([MEMORY_BYTES, 3]);
    expect([over.byteLength, over[0]]).toEqual([MEMORY_BYTES + 1, 4]);
    expect(long.buffer).toBe(longest.buffer);
  });

  it('is of another answer another', () => {
    const [one, other] = [createPieceMemory()(filled(MEMORY_BYTES, 1)), createPieceMemory()(filled(MEMORY_BYTES, 2))];
    expect([one[0], other[0]]).toEqual([1, 2]);
  });
});

/** Long pieces and short ones, each with another byte. */
async function* pieces(copy = (piece: Uint8Array): Buffer => Buffer.from(piece)): AsyncGenerator<Buffer> {
  for (let i = 0; i < 100; i += 1) yield copy(filled(i % 3 === 0 ? 100 : LONG_PIECE_BYTES + 1_000 * i, i));
}

/** What a target is given, as it comes out of `output`, read when the target is full. */
async function passed(target: Writable, output: AsyncIterable<Buffer>): Promise<void> {
  const piped = pipeline(pieces(createPieceMemory()), target);
  const read: Buffer[] = [];
  for await (const chunk of output) read.push(Buffer.from(chunk));
  await piped;
  expect(Buffer.concat(read).equals(await buffer(pieces()))).toBe(true);
}

describe('pieces in the same memory arrive as they were made', () => {
  it('since a long one fills every stream', () => {
    expect(LONG_PIECE_BYTES).toBeGreaterThanOrEqual(getDefaultHighWaterMark(false));
  });

  it('behind a stream', async () => {
    const target = new PassThrough();
    await passed(target, target);
  });

  it('compressed', async () => {
    const target = createGzip();
    await passed(target, target.pipe(createGunzip()));
  });

  it('in a response that waits for an earlier one on its connection, at a client that reads late', async () => {
    const first: http.ServerResponse[] = [];
    const written: Promise<void>[] = [];
    const server = http.createServer((req, res) => {
      if (req.url === '/first') first.push(res);
      else written.push(pipeline(pieces(createPieceMemory()), res));
      // the second one has been written until it was full, and so waits for the first one's end
      if (req.url === '/second') setImmediate(() => first[0]?.end('first'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.write('GET /second HTTP/1.0\r\nHost: a\r\n\r\n'); // HTTP/1.0: the body as it is, to the end of the connection
    await once(socket, 'readable');
    const read = await buffer(socket);
    await Promise.all(written);
    server.close();
    const expected = await buffer(pieces());
    expect(read.subarray(-expected.byteLength).equals(expected)).toBe(true);
  });
});
