import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { removeFolder, writeSmallFile } from './small-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-small-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a small file', () => {
  it('is replaced whole, and leaves nothing beside it', () => {
    const file = path.join(folder, 'a');
    writeSmallFile(file, 'one, and longer');
    writeSmallFile(file, Buffer.from('two'));
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['a'], 'two']);
  });
});

describe('a folder that is removed', () => {
  it.each([
    ['few', 3],
    ['many', 100],
  ])('is gone with %s entries, folders in it, and links but not what they lead to', async (_what, count) => {
    const kept = path.join(folder, 'kept');
    const removed = path.join(folder, 'removed');
    mkdirSync(path.join(removed, 'below', 'further'), { recursive: true });
    mkdirSync(kept);
    writeFileSync(path.join(kept, 'file'), 'x');
    for (let i = 0; i < count; i += 1) writeFileSync(path.join(removed, 'below', `file ${i}`), 'x');
    symlinkSync(kept, path.join(removed, 'link'));
    await removeFolder(removed);
    await removeFolder(removed); // nothing to do
    expect([existsSync(removed), readdirSync(kept)]).toEqual([false, ['file']]);
  });
});
