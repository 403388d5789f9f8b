import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { folderBytes } from './folder-bytes.js';
import { removeFolder } from './small-file.js';
import { emptyFolder } from './stubborn-folder.js';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tally-stubborn-'));
  folder = path.join(root, 'task');
});
afterEach(() => removeFolder(root));

/** What is outside of the folder is as it was. */
function expectOutside(): void {
  expect(readFileSync(path.join(root, 'kept'), 'utf8')).toBe('kept\n');
  expect(statSync(path.join(root, 'outside')).mode & 0o777).toBe(0o755);
}

/** Leaves what a simulator may: closed folders, a path of 20 000 characters, links out of it, pipes. */
function fill(): void {
  const name = 'd'.repeat(200);
  const script = `
    mkdir -m 755 outside && mkdir task && cd task && echo kept > ../kept && ln -s ../kept link && ln -s ../outside out && mkfifo pipe
    mkdir -p closed/inner && echo a > closed/inner/a && ln -s ../../../kept closed/link && ln -s ../../outside closed/out && chmod 0 closed/inner closed
    for i in $(seq 100); do mkdir ${name} && cd ${name} && echo x > file || exit 1; done`;
  execFileSync('/bin/bash', ['-c', script], { cwd: root });
}

describe('a folder that a simulator has made hard to remove', () => {
  it('is removed, and nothing outside of it', async () => {
    fill();
    await removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
    expectOutside();
  });

  it('is emptied, and stays', async () => {
    fill();
    await emptyFolder(folder);
    expect(existsSync(folder)).toBe(true);
    expect(await folderBytes(folder)).toBe(0);
    expectOutside();
  });

  it('counts and is removed where names are not UTF-8', async () => {
    const script = `mkdir -p task && cd task && n=$(printf 'a\\351') && mkdir "$n" && head -c 9000 /dev/zero > "$n/b$n" && echo x > "f$n"`;
    execFileSync('/bin/bash', ['-c', script], { cwd: root });
    expect(await folderBytes(folder)).toBe(9_000 + 2 + 3 * 4_096);
    await removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it('is of no known size', async () => {
    fill();
    expect(await folderBytes(folder)).toBe(Number.POSITIVE_INFINITY);
  });
});
