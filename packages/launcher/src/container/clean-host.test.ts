import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mountPoints, removeEntries } from './clean-host.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-clean-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes files with their folders, by their paths below the folder. */
function make(...files: string[]): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
}

describe('removeEntries', () => {
  it('removes everything, folders too', async () => {
    make('a', 'b/c', 'b/d/e');
    await removeEntries(folder, []);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps what is mounted, and removes what lies beside it, also on the way to it', async () => {
    make('a', 'b/c', 'b/site/table', 'b/site-2/left');
    await removeEntries(folder, [path.join(folder, 'b/site')]);
    expect(new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['b', 'b/site', 'b/site/table']),
    );
  });
});

describe('mountPoints', () => {
  (existsSync('/proc/self/mountinfo') ? it : it.skip)('are those of this process', async () => {
    expect(await mountPoints()).toEqual(expect.arrayContaining(['/', '/proc']));
  });
});
