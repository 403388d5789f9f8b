import { execSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SMALL_BYTES_MAX } from '../files/small-file.js';
import { openOutputFolder } from './output-folder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('what a simulator has left', () => {
  it('is plain files of this folder, and nothing that leads out of it', async () => {
    writeFileSync(path.join(folder, 'a.bdo'), 'output');
    mkdirSync(path.join(folder, 'sub'));
    symlinkSync('/etc/passwd', path.join(folder, 'link'));
    const output = await openOutputFolder(folder, 100);
    expect(output.names).toEqual(['a.bdo']);
    expect(String(await output.read('a.bdo'))).toBe('output');
    for (const name of ['link', 'sub', '../x'])
      await expect(output.read(name)).rejects.toThrow('there is no such file');
  });

  it('is files whose names are text: others are left out', async () => {
    const name = Buffer.concat([Buffer.from(`${folder}/b`), Buffer.of(0xe9), Buffer.from('.bdo')]); // é of Latin-1
    writeFileSync(name, 'output');
    writeFileSync(path.join(folder, 'é.bdo'), 'output');
    expect((await openOutputFolder(folder, 100)).names).toEqual(['é.bdo']);
  });

  it.each([
    ['a link', 'ln -s /etc/passwd', 'ELOOP'],
    ['a pipe that nobody writes to', 'mkfifo', 'is not a plain file'],
  ])('is not followed where %s has taken its place', async (_what, command, message) => {
    const file = path.join(folder, 'a.bdo');
    writeFileSync(file, 'output');
    const output = await openOutputFolder(folder, 100);
    rmSync(file);
    execSync(`${command} ${file}`);
    await expect(output.read('a.bdo')).rejects.toThrow(message);
  });

  it('is read whole, be it small or large', async () => {
    const [small, large] = [Buffer.alloc(1000, 1), Buffer.alloc(SMALL_BYTES_MAX + 1, 2)];
    writeFileSync(path.join(folder, 'small'), small);
    writeFileSync(path.join(folder, 'large'), large);
    const output = await openOutputFolder(folder, large.length);
    expect([await output.read('small'), await output.read('large')]).toEqual([small, large]);
  });

  it('is not read when it is too large', async () => {
    writeFileSync(path.join(folder, 'a.bdo'), 'x'.repeat(101));
    const output = await openOutputFolder(folder, 100);
    await expect(output.read('a.bdo')).rejects.toMatchObject({ reason: 'UNREADABLE' });
  });
});
