import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@tally/testkit';
import { followFile } from './follow-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'follow-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const follow = () => {
  const lines: string[] = [];
  const options = { intervalMs: 5, lineBytesMax: 40, onLine: (line: string) => lines.push(line) };
  return { lines, following: followFile(folder, /^run_\d+\/[^/]+\.out$/, options) };
};

describe('a followed file', () => {
  it('is found when it appears and read line by line as it grows, to the end', async () => {
    const { lines, following } = follow();
    mkdirSync(path.join(folder, 'run_12'));
    const file = path.join(folder, 'run_12', 'a.out');
    writeFileSync(file, 'one\ntw');
    await waitFor(() => (lines.length === 1 ? true : undefined), { what: 'the first line' });
    appendFileSync(file, 'o\nthree');
    await following.end();
    expect(lines).toEqual(['one', 'two', 'three']);
  });

  it('is not waited for when the simulator puts a pipe in its place, nor followed when it is a link', async () => {
    const file = path.join(folder, 'run_12', 'a.out');
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'one\n');
    const { lines, following } = follow();
    await waitFor(() => (lines.length === 1 ? true : undefined), { what: 'the first line' });
    rmSync(file);
    execFileSync('mkfifo', [file]);
    await following.end();
    const outside = path.join(folder, 'outside');
    writeFileSync(outside, 'ours\n');
    rmSync(file);
    writeFileSync(file, 'two\n');
    const linked = follow();
    await waitFor(() => (linked.lines.length === 1 ? true : undefined), { what: 'the line of the second file' });
    rmSync(file);
    symlinkSync(outside, file);
    await linked.following.end();
    expect([...lines, ...linked.lines]).toEqual(['one', 'two']);
  });

  it('is read from the last megabyte on, however far it reaches', async () => {
    const file = path.join(folder, 'run_12', 'a.out');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '');
    truncateSync(file, 8 * 2 ** 40); // of holes
    appendFileSync(file, '\nlast\n');
    const { lines, following } = follow();
    await following.end();
    expect(lines.at(-1)).toBe('last');
  });

  it('may never appear, or be gone', async () => {
    writeFileSync(path.join(folder, 'a.out'), 'not below a folder\n');
    const { lines, following } = follow();
    await following.end();
    rmSync(folder, { recursive: true });
    const gone = follow();
    await gone.following.end();
    mkdirSync(folder);
    expect([...lines, ...gone.lines]).toEqual([]);
  });
});
