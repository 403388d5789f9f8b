import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openLogFile, wholeCharacters } from './log-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tally-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a log file', () => {
  it('holds every line at once, while it is short', async () => {
    const log = openLogFile(path.join(folder, 'log'), 1000);
    log.write('one');
    log.write('zwei ä');
    expect(await readFile(path.join(folder, 'log'), 'utf8')).toBe('one\nzwei ä\n');
    expect(Buffer.from(await log.read(4, 100)).toString()).toBe('zwei ä\n');
    expect(log.sizeBytes).toBe(12);
    log.close();
  });

  it('keeps beginning and end of a long one, and says what is left out', async () => {
    const log = openLogFile(path.join(folder, 'log'), 1000);
    for (let line = 0; line < 20_000; line += 1) log.write(`line ${line}`);
    log.finish();
    log.finish();
    const lines = (await readFile(path.join(folder, 'log'), 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe('line 0');
    expect(lines.at(-1)).toBe('line 19999');
    expect(lines.filter((line) => /^\[… \d+ bytes left out …\]$/.test(line))).toHaveLength(1);
    expect(log.sizeBytes).toBeLessThan(1100);
  });

  it('goes on where an earlier run of the runner ended', async () => {
    const first = openLogFile(path.join(folder, 'log'), 1000);
    first.write('before');
    first.close();
    const second = openLogFile(path.join(folder, 'log'), 1000);
    second.write('after');
    second.finish();
    expect(await readFile(path.join(folder, 'log'), 'utf8')).toBe('before\nafter\n');
  });
});

describe('whole characters', () => {
  it('leave a cut one at the end for later', () => {
    const bytes = Buffer.from('a€');
    expect([1, 2, 3, 4].map((length) => wholeCharacters(bytes.subarray(0, length)))).toEqual([1, 1, 1, 4]);
    expect(wholeCharacters(Buffer.from('😀').subarray(0, 3))).toBe(0);
    expect(wholeCharacters(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]))).toBe(5);
  });
});
