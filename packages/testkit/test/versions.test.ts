import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { workspaceRoot } from '../src/index.js';

// tools/release/versions.mjs, on a copy of what it reads and writes.

interface Versions {
  readonly releaseFaults: (root: string) => string[];
  readonly setVersion: (root: string, version: string, date: string) => void;
  readonly setServiceVersion: (root: string, service: string, version: string, date: string) => void;
}
const file = path.join(workspaceRoot(), 'tools/release/versions.mjs');
const { releaseFaults, setServiceVersion, setVersion } = (await import(pathToFileURL(file).href)) as Versions;

interface Steps {
  readonly wholeSteps: (version: string) => string;
  readonly serviceSteps: (service: string, version: string) => string;
}
interface FindPrevious {
  readonly findPrevious: (root: string, options?: { service?: string }) => { commit?: string; text: string };
  readonly imageVersion: (root: string, service: string, version: string) => string;
}
interface Rules {
  readonly subjectFaults: (subject: string) => readonly string[];
}
const load = async (name: string): Promise<unknown> =>
  import(pathToFileURL(path.join(workspaceRoot(), 'tools', name)).href);
const { serviceSteps, wholeSteps } = (await load('release/next-steps.mjs')) as Steps;
const { findPrevious, imageVersion } = (await load('previous/find-previous.mjs')) as FindPrevious;
const { subjectFaults } = (await load('style/rules.mjs')) as Rules;

const DATE = '2026-12-01';
const WHOLE = '3.4.5';
let root: string;

function edit(name: string, change: (text: string) => string) {
  writeFileSync(path.join(root, name), change(readFileSync(path.join(root, name), 'utf8')));
}
const unreleased = (text: string) => text.replace('## Unreleased\n', '## Unreleased\n\n- Something.\n');

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tally-versions-'));
  const copy = (name: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    cpSync(path.join(workspaceRoot(), name), path.join(root, name), { recursive: true });
  };
  const services = readdirSync(path.join(workspaceRoot(), 'services')).map((name) => `services/${name}`);
  const packages = readdirSync(path.join(workspaceRoot(), 'packages')).map((name) => `packages/${name}`);
  for (const dir of [...packages, ...services]) copy(`${dir}/package.json`);
  for (const dir of services) copy(`${dir}/CHANGELOG.md`);
  const programs = ['packages/batch-helper/src/helper-program.ts', 'packages/cli/src/program.ts'];
  const sources = [...programs, 'clients/python/src/tally_client/_version.py'];
  for (const name of ['package.json', 'CHANGELOG.md', 'k8s/chart/Chart.yaml', ...sources]) copy(name);
  setVersion(root, WHOLE, DATE);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('a release is one version of everything', () => {
  expect(releaseFaults(root)).toEqual([]);
  edit('packages/client/package.json', (text) => text.replace(WHOLE, '3.4.6'));
  expect(releaseFaults(root)).toEqual([`packages/client/package.json is not of version ${WHOLE}`]);
});

it('a service alone gets a later patch, and nothing else changes', () => {
  edit('services/jobs/CHANGELOG.md', unreleased);
  setServiceVersion(root, 'jobs', '3.4.6', DATE);
  expect(releaseFaults(root)).toEqual([]);
  const versions = ['services/jobs', 'services/auth', '.'].map(
    (dir) => (JSON.parse(readFileSync(path.join(root, dir, 'package.json'), 'utf8')) as { version: string }).version,
  );
  expect(versions).toEqual(['3.4.6', WHOLE, WHOLE]);
  const changelog = readFileSync(path.join(root, 'services/jobs/CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`## Unreleased\n\n## 3.4.6 (${DATE})\n\n- Something.\n`);
});

it.each([
  ['another minor version', 'jobs', '3.5.0', 'a service alone gets a later patch of 3.4.5'],
  ['an earlier one', 'jobs', '3.4.4', 'a service alone gets a later patch of 3.4.5'],
  ['a service that is none', 'mailer', '3.4.6', 'there is no service mailer'],
  ['a service of which nothing is unreleased', 'auth', '3.4.6', 'has nothing under "## Unreleased"'],
])('%s is refused', (_what, service, version, message) => {
  edit('services/jobs/CHANGELOG.md', unreleased);
  expect(() => setServiceVersion(root, service, version, DATE)).toThrow(message);
});

it('a version of a service that is no later patch, or that its changelog does not have, is a fault', () => {
  edit('services/jobs/package.json', (text) => text.replace(WHOLE, '3.5.0'));
  edit('services/auth/package.json', (text) => text.replace(WHOLE, '3.4.7'));
  expect(releaseFaults(root)).toEqual([
    'services/auth/CHANGELOG.md has no section 3.4.7',
    'services/jobs/package.json is of version 3.5.0, which is no later patch of 3.4.5',
  ]);
});

it('the next release of the whole is later than that of any service', () => {
  edit('services/jobs/CHANGELOG.md', unreleased);
  setServiceVersion(root, 'jobs', '3.4.7', DATE);
  expect(() => setVersion(root, '3.4.6', DATE)).toThrow('services/jobs/package.json is of version 3.4.7 already');
  setVersion(root, '3.4.8', DATE);
  expect(releaseFaults(root)).toEqual([]);
});

it('a service alone is released from its own last release: commits, tags and images, as the steps say', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  /** Runs the line of the steps that commits and tags, as whoever releases does; gives the subject and the tag. */
  const commitAndTag = (steps: string) => {
    const [, subject = '', tag = ''] = /git commit -am "([^"]+)" && git tag -a (\S+) -m/.exec(steps) ?? [];
    git('add', '--all');
    git(...identity, 'commit', '--quiet', '--message', subject);
    git(...identity, 'tag', '--annotate', '--message', tag, tag);
    expect(subjectFaults(subject)).toEqual([]);
    return tag;
  };
  const versionOf = (service: string) => {
    const manifest = readFileSync(path.join(root, `services/${service}/package.json`), 'utf8');
    return imageVersion(root, service, (JSON.parse(manifest) as { version: string }).version);
  };
  git('init', '--quiet');
  git(...identity, 'commit', '--quiet', '--allow-empty', '--message', 'base');
  mkdirSync(path.join(root, 'tools/previous'), { recursive: true });
  writeFileSync(path.join(root, 'tools/previous/BASE'), git('rev-parse', 'HEAD'));
  expect(commitAndTag(wholeSteps(WHOLE))).toBe(`v${WHOLE}`);
  expect([versionOf('jobs'), versionOf('auth')]).toEqual([WHOLE, WHOLE]);

  edit('services/jobs/CHANGELOG.md', unreleased);
  setServiceVersion(root, 'jobs', '3.4.6', DATE);
  const steps = serviceSteps('jobs', '3.4.6');
  expect(commitAndTag(steps)).toBe('jobs-v3.4.6');
  expect(steps).toContain(`--set services.jobs.image.tag=${versionOf('jobs')}\n`);
  expect(versionOf('auth')).toMatch(/^3\.5\.0-1-g[0-9a-f]{9}$/);

  git(...identity, 'commit', '--quiet', '--allow-empty', '--message', 'later');
  expect(findPrevious(root, { service: 'jobs' }).text).toBe('release jobs-v3.4.6');
  expect([findPrevious(root).text, findPrevious(root, { service: 'auth' }).text]).toEqual([
    `release v${WHOLE}`,
    `release v${WHOLE}`,
  ]);
  expect(versionOf('jobs')).toMatch(/^3\.5\.0-1-g/);
});
