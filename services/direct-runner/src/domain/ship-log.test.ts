import { describe, expect, it } from '@jest/globals';
import { kitError, silentLogger } from '@tally/service-kit';
import { fakeClock } from '@tally/testkit';
import { fail } from './errors.js';
import type { LogPiece, TaskFolder } from './ports.js';
import { shipLog } from './ship-log.js';

/** A log in memory, and a results service that keeps it by offset, as its contract says. */
function setUp() {
  const clock = fakeClock();
  let bytes = Buffer.alloc(0);
  const log: TaskFolder['log'] = {
    get sizeBytes() {
      return bytes.length;
    },
    write: (line) => {
      bytes = Buffer.concat([bytes, Buffer.from(line)]);
    },
    finish: () => {},
    close: () => {},
    read: async (offset, bytesMax) => bytes.subarray(offset, offset + bytesMax),
  };
  let stored = Buffer.alloc(0);
  let error: Error | undefined;
  const results = {
    appendLog: async (_order: unknown, { offset, text }: LogPiece) => {
      if (error !== undefined) throw error;
      if (offset > stored.length) throw new Error('a gap');
      stored = Buffer.concat([stored.subarray(0, offset), Buffer.from(text)]);
    },
  };
  const folder = { order: {}, log } as unknown as TaskFolder;
  const shipper = shipLog({ results, limits: { logShipMs: 1000 }, clock, logger: silentLogger }, folder);
  /** All of it, as it is sent with a task's output. */
  const flush = async () => {
    const piece = await shipper.flush(new AbortController().signal);
    if (piece !== undefined) await results.appendLog(undefined, piece);
  };
  return { clock, log, shipper, flush, stored: () => stored.toString(), fail: (err?: Error) => void (error = err) };
}

describe('the log of a task', () => {
  it('is sent as it grows', async () => {
    const { clock, log, shipper, stored } = setUp();
    log.write('one ');
    await clock.advance(1_000);
    expect(stored()).toBe('one ');
    log.write('two');
    await clock.advance(1_000);
    expect(stored()).toBe('one two');
    await shipper.end();
  });

  it('loses nothing through an outage', async () => {
    const { clock, log, shipper, flush, stored, fail: failWith } = setUp();
    failWith(kitError('SERVICE_UNAVAILABLE'));
    log.write('early ');
    await clock.advance(5_000);
    failWith();
    log.write('late');
    await flush();
    expect(stored()).toBe('early late');
    await shipper.end();
  });

  it('is given up when it is refused, and the task goes on', async () => {
    const { clock, log, shipper, fail: failWith } = setUp();
    failWith(fail('OUTPUT_REFUSED'));
    log.write('text');
    await clock.advance(1_000);
    await expect(shipper.flush(new AbortController().signal)).resolves.toBeUndefined();
    await shipper.end();
  });

  it('is cut between characters only, in chunks', async () => {
    const { log, shipper, flush, stored } = setUp();
    const text = `\uFEFF${'ä€😀x'.repeat(40_000)}`; // 10 bytes each: any chunk size cuts one of them
    log.write(text);
    await flush();
    expect(stored()).toBe(text);
    await shipper.end();
  });

  it('gives its last piece again until it was sent with the rest', async () => {
    const { log, shipper, stored } = setUp();
    log.write('all of it');
    const never = new AbortController().signal;
    const piece = { offset: 0, text: 'all of it', endOffset: 9 };
    expect([await shipper.flush(never), await shipper.flush(never), stored()]).toEqual([piece, piece, '']);
    await shipper.end();
  });
});
