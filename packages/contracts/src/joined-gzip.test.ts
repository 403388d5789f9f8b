import { execFileSync, spawnSync } from 'node:child_process';
import { constants, crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { combineCrc32 } from './crc32-combine.js';
import { JOINABLE_HEADER, type JoinPart, joinableEnd, joinedGzip, plainText } from './joined-gzip.js';

/** A member as results stores it. */
function joinable(text: string): Buffer {
  const bytes = Buffer.from(text);
  const open = deflateRawSync(bytes, { level: 1, finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([JOINABLE_HEADER, open, joinableEnd(crc32(bytes), bytes.length)]);
}

async function* cut(bytes: Buffer, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

interface Piece {
  readonly kind: 'text' | 'joinable' | 'other';
  readonly text: string;
  readonly chunkBytes: number;
}
async function* partsOf(pieces: readonly Piece[]): AsyncGenerator<JoinPart> {
  for (const { kind, text, chunkBytes } of pieces) {
    if (kind === 'text') yield { text };
    else yield { member: cut(kind === 'joinable' ? joinable(text) : gzipSync(text), chunkBytes) };
  }
}
async function collect(pieces: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

const numbers = Array.from({ length: 2_000 }, (_, i) => Math.sin(i)).join(',');
const somePieces = fc.array(
  fc.record({
    kind: fc.constantFrom('text' as const, 'joinable' as const, 'other' as const),
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.nat(numbers.length).map((end) => numbers.slice(0, end)),
    ),
    chunkBytes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(65_536)),
  }),
  { maxLength: 8 },
);

describe('a page that came as text', () => {
  it('is passed on as it is, however it is cut', async () => {
    async function* parts(size: number): AsyncGenerator<JoinPart> {
      yield { text: '[' };
      yield { member: cut(Buffer.from('{"page_number":1}'), size) };
      yield { text: ']' };
    }
    for (const size of [1, 2, 100])
      expect((await collect(plainText(parts(size)))).toString()).toBe('[{"page_number":1}]');
  });
});

describe('combineCrc32', () => {
  it('gives the CRC of the whole for every way to cut a text in two', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.uint8Array({ maxLength: 5_000 }), (a, b) => {
        expect(combineCrc32(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])));
      }),
      { numRuns: 500 },
    );
  });

  it('holds for lengths far above what bit operations take', () => {
    const million = crc32(Buffer.alloc(1_000_000));
    let crc = crc32('start');
    for (let i = 0; i < 5_000; i++) crc = combineCrc32(crc, million, 1_000_000);
    let zeros = million;
    for (let i = 1; i < 5_000; i++) zeros = combineCrc32(zeros, million, 1_000_000);
    expect(combineCrc32(crc32('start'), zeros, 5e9)).toBe(crc);
  });
});

describe('joinedGzip', () => {
  it('is one gzip member of the plain text, whatever the parts and however their bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(somePieces, async (pieces) => {
        const text = pieces.map((piece) => Buffer.from(piece.text));
        const joined = await collect(joinedGzip(partsOf(pieces)));
        expect(gunzipSync(joined).equals(Buffer.concat(text))).toBe(true); // checks CRC and length, too
        expect((await collect(plainText(partsOf(pieces)))).equals(Buffer.concat(text))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('is read by gzip and python where they are', async () => {
    const pieces: Piece[] = [
      { kind: 'text', text: '{"pages":[', chunkBytes: 1 },
      { kind: 'joinable', text: `[${numbers}]`, chunkBytes: 1000 },
      { kind: 'text', text: ',', chunkBytes: 1 },
      { kind: 'joinable', text: `[${numbers}]`, chunkBytes: 7 },
      { kind: 'text', text: ']}', chunkBytes: 1 },
    ];
    const input = await collect(joinedGzip(partsOf(pieces)));
    const expected = pieces.map(({ text }) => text).join('');
    const readers: [string, string[]][] = [
      ['gzip', ['-dc']],
      ['python3', ['-c', 'import sys,zlib; sys.stdout.write(zlib.decompress(sys.stdin.buffer.read(), 31).decode())']],
    ];
    const present = readers.filter(([command]) => spawnSync(command, ['--version']).status === 0);
    for (const [command, args] of present) {
      expect(execFileSync(command, args, { input, maxBuffer: 1e8 }).toString()).toBe(expected);
    }
    expect(present.map(([command]) => command)).toContain('gzip');
  });

  it('fails rather than send a member that is cut short or damaged at its end', async () => {
    const member = joinable(numbers);
    for (const broken of [member.subarray(0, 20), member.subarray(0, -3)]) {
      const parts = async function* (): AsyncGenerator<JoinPart> {
        yield { member: cut(broken, 100) };
      };
      await expect(collect(joinedGzip(parts()))).rejects.toThrow('does not end as one');
    }
  });
});

describe('a member of another kind that breaks off', () => {
  const member = gzipSync(Array.from({ length: 100_000 }, (_, i) => Math.sin(i)).join(','));
  async function* damaged(end: number, failure?: Error): AsyncGenerator<JoinPart> {
    async function* chunks() {
      yield* cut(member.subarray(0, end), 16_384);
      if (failure !== undefined) throw failure;
    }
    yield { text: '[' };
    yield { member: chunks() };
    yield { text: ']' };
  }
  /** As a client that takes its time. */
  async function readSlowly(pieces: AsyncIterable<Uint8Array | string>): Promise<void> {
    for await (const _ of pieces) await new Promise((resolve) => setImmediate(resolve));
  }

  it.each([joinedGzip, plainText] as const)('fails for whoever reads it, and for nobody else: %p', async (join) => {
    for (const end of [20, 16_384, 500_000, member.length - 8, member.length - 1]) {
      await expect(readSlowly(join(damaged(end)))).rejects.toThrow('unexpected end of file');
      await expect(readSlowly(join(damaged(end, new Error('source broke off'))))).rejects.toThrow('source broke off');
    }
  });

  it.each([joinedGzip, plainText] as const)('is not read on when its reader has gone: %p', async (join) => {
    const ended = new AbortController();
    async function* endless() {
      try {
        yield member;
        for (;;) yield new Uint8Array(1024);
      } finally {
        ended.abort();
      }
    }
    async function* parts(): AsyncGenerator<JoinPart> {
      yield { member: endless() };
    }
    let bytes = 0;
    for await (const piece of join(parts())) {
      bytes += piece.length;
      if (bytes > 10_000) break; // in the middle of the member
    }
    while (!ended.signal.aborted) await new Promise((resolve) => setImmediate(resolve));
  });
});
