import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { workspaceRoot } from '../src/index.js';

// tools/previous/find-previous.mjs: with which commit check:contracts and check:previous compare.

interface FindPrevious {
  readonly findPrevious: (
    root: string,
    options?: { against?: string; service?: string },
  ) => { commit?: string; text: string };
  readonly imageVersion: (root: string, service: string, version: string) => string;
}
const file = path.join(workspaceRoot(), 'tools/previous/find-previous.mjs');
const { findPrevious, imageVersion } = (await import(pathToFileURL(file).href)) as FindPrevious;

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
  expect(findPrevious(root, { against: 'HEAD' }).commit).toBe(first);
  expect(() => findPrevious(root, { against: 'v9' })).toThrow('git knows no commit v9');
});

it('compares a service that is released alone with its own last release', () => {
  nameBase(commit());
  git('tag', 'v0.2.0');
  const patch = commit();
  git('tag', 'jobs-v0.2.1');
  commit();
  expect(findPrevious(root, { service: 'jobs' })).toEqual({ commit: patch, text: 'release jobs-v0.2.1' });
  expect(findPrevious(root, { service: 'auth' }).text).toBe('release v0.2.0');
  expect(findPrevious(root).text).toBe('release v0.2.0');
});

it('gives an image the version of a release only where that is what is built', () => {
  nameBase(commit());
  git('add', 'tools');
  commit();
  git('tag', 'v0.2.0');
  expect(imageVersion(root, 'jobs', '0.2.0')).toBe('0.2.0');
  const later = commit();
  expect(imageVersion(root, 'jobs', '0.2.0')).toBe(`0.3.0-1-g${later.slice(0, 9)}`);
  git('tag', 'jobs-v0.2.1');
  expect(imageVersion(root, 'jobs', '0.2.1')).toBe('0.2.1');
  expect(imageVersion(root, 'auth', '0.2.0')).toBe(`0.3.0-1-g${later.slice(0, 9)}`);
  fs.appendFileSync(path.join(root, 'tools/previous/BASE'), '# changed\n');
  expect(imageVersion(root, 'jobs', '0.2.1')).toMatch(/^0\.3\.0-\d+-g[0-9a-f]{9}-dirty$/);
});
