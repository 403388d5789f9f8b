import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
    for (const name of ['link', 'sub', '../x']) expect(() => output.read(name)).toThrow('there is no such file');
  });

  it('is not followed where a link has taken its place', async () => {
    const file = path.join(folder, 'a.bdo');
    writeFileSync(file, 'output');
    const output = await openOutputFolder(folder, 100);
    rmSync(file);
    symlinkSync('/etc/passwd', file);
    await expect(output.read('a.bdo')).rejects.toThrow('ELOOP');
  });

  it('is not read when it is too large', async () => {
    writeFileSync(path.join(folder, 'a.bdo'), 'x'.repeat(101));
    const output = await openOutputFolder(folder, 100);
    await expect(output.read('a.bdo')).rejects.toMatchObject({ reason: 'UNREADABLE' });
  });
});
