import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { workspaceRoot } from '../src/index.js';

// tools/previous/find-previous.mjs: with which commit check:contracts and check:previous compare.

interface FindPrevious {
  readonly findPrevious: (root: string, against?: string) => { commit?: string; text: string };
}
const file = path.join(workspaceRoot(), 'tools/previous/find-previous.mjs');
const { findPrevious } = (await import(pathToFileURL(file).href)) as FindPrevious;

let root: string;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function commit(): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  git(...identity, 'commit', '--quiet', '--allow-empty', '--message', 'change');
  return git('rev-parse', 'HEAD');
}

function nameBase(text: string): void {
  fs.writeFileSync(path.join(root, 'tools/previous/BASE'), `# why\n${text}\n`);
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-previous-test-'));
  fs.mkdirSync(path.join(root, 'tools/previous'), { recursive: true });
  git('init', '--quiet');
});
afterEach(() => fs.rmSync(root, { recursive: true }));

it('compares nothing while no commit is named, whatever tags there are', () => {
  nameBase('');
  commit();
  git('tag', 'v0.1.0');
  commit();
  expect(findPrevious(root)).toEqual({ text: expect.stringContaining('names no commit yet') });
});

it('compares nothing where the clone does not have the commit', () => {
  nameBase('0123456789abcdef0123456789abcdef01234567');
  commit();
  expect(findPrevious(root)).toEqual({ text: expect.stringContaining('does not have 0123456789') });
});

it('compares with the named commit until a release follows it', () => {
  commit();
  git('tag', 'v0.1.0');
  const base = commit();
  nameBase(base);
  commit();
  expect(findPrevious(root)).toEqual({ commit: base, text: expect.stringContaining('tools/previous/BASE') });
  const release = commit();
  git('tag', 'v0.2.0');
  commit();
  expect(findPrevious(root)).toEqual({ commit: release, text: 'release v0.2.0' });
});

it('compares with any commit that is asked for, and with none of a wrong name', () => {
  nameBase('');
  const first = commit();
  expect(findPrevious(root, 'HEAD').commit).toBe(first);
  expect(() => findPrevious(root, 'v9')).toThrow('git knows no commit v9');
});
