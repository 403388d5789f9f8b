import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { orderOf } from '../../test/attempt.js';
import type { TaskEnd } from '../domain/task.js';
import { createJournal, type Journal, openJournal } from './journal.js';

const PROCESS = { pid: 4711, startTicks: 12, bootId: 'boot' };
const COMPLETED: TaskEnd = { kind: 'completed', simulatedPrimaries: 100 };
const REFUSED: TaskEnd = { kind: 'failed', reason: 'OUTPUT_REFUSED', message: 'no', isRetryable: false };
/** Holds a line break and what looks like a line. */
const OUTPUT = Buffer.from('bytes\n{"end":{"kind":"released"},"outputBytes":0}\n\xff', 'latin1');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-journal-'));
  file = path.join(folder, 'a.journal');
});
afterEach(() => rmSync(folder, { recursive: true }));

const outputOf = async (journal: Journal, sizeBytes = OUTPUT.length): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of journal.readOutput(0, sizeBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('the journal of an attempt', () => {
  it('leaves nothing where it cannot be written', () => {
    const unwritable = { ...orderOf(), primaries: 1n as unknown as number };
    expect(() => createJournal(file, unwritable)).toThrow(TypeError);
    expect(existsSync(file)).toBe(false);
  });

  it('says after a crash what was claimed, who runs it, how it ended and what it gave', async () => {
    const order = orderOf();
    const journal = createJournal(file, order);
    expect((await openJournal(file))?.content).toEqual({ order, leader: undefined, end: undefined });
    journal.recordProcess(PROCESS);
    await journal.recordEnd(COMPLETED, OUTPUT, true);
    expect(await outputOf(journal)).toEqual(OUTPUT);
    const reopened = await openJournal(file);
    if (reopened === undefined) throw new Error('no journal');
    expect(reopened.content).toEqual({ order, leader: PROCESS, end: COMPLETED });
    expect(await outputOf(reopened.journal)).toEqual(OUTPUT);
  });

  it('goes on where it ended, and the last end counts', async () => {
    await createJournal(file, orderOf()).recordEnd(COMPLETED, OUTPUT, false);
    const reopened = await openJournal(file);
    await reopened?.journal.recordEnd(REFUSED, undefined, false);
    const again = await openJournal(file);
    expect(again?.content.end).toEqual(REFUSED);
    expect(() => again?.journal.readOutput(0, 1)).toThrow('not so long');
  });

  it('keeps an output of any size', async () => {
    const large = Buffer.alloc(3_000_000, 'large');
    const journal = createJournal(file, orderOf());
    await journal.recordEnd(COMPLETED, large, false);
    expect((await outputOf(journal, large.length)).equals(large)).toBe(true);
    const reopened = await openJournal(file);
    expect(reopened?.content.end).toEqual(COMPLETED);
  });

  it('may be cut short anywhere: what is not whole was never there, and what is added then is', async () => {
    const journal = createJournal(file, orderOf());
    const orderBytes = readFileSync(file).length;
    journal.recordProcess(PROCESS);
    const processBytes = readFileSync(file).length;
    await journal.recordEnd(COMPLETED, OUTPUT, false);
    const whole = readFileSync(file);
    for (let length = 0; length <= whole.length; length += 1) {
      writeFileSync(file, whole.subarray(0, length));
      const reopened = await openJournal(file);
      expect([length, reopened === undefined]).toEqual([length, length < orderBytes]);
      expect(reopened?.content.leader).toEqual(length < processBytes ? undefined : PROCESS);
      expect(reopened?.content.end).toEqual(length < whole.length ? undefined : COMPLETED);
      await reopened?.journal.recordEnd(REFUSED, undefined, false);
      expect((await openJournal(file))?.content.end).toEqual(reopened && REFUSED);
    }
  });

  it('belongs to one attempt', () => {
    createJournal(file, orderOf());
    expect(() => createJournal(file, orderOf())).toThrow('EEXIST');
  });
});
