import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../src/workspace-root.js';

interface Rules {
  readonly crowdedFolders: (files: readonly string[]) => string[];
  readonly replacedWords: (file: string, text: string) => string[];
  readonly deadLinks: (file: string, text: string, exists: (file: string) => boolean) => string[];
  readonly subjectFaults: (subject: string) => string[];
}

/* The rules of tools/style-check.mjs. */
const rulesUrl = pathToFileURL(path.join(workspaceRoot(), 'tools/style/rules.mjs')).href;
const { crowdedFolders, deadLinks, replacedWords, subjectFaults } = (await import(rulesUrl)) as Rules;

describe('a folder', () => {
  const files = (count: number) => Array.from({ length: count }, (_, i) => `services/x/${i}.ts`);

  it('has at most 25 files, unless it is known to have more; those of its folders do not count', () => {
    expect(crowdedFolders([...files(25), 'services/x/y/1.ts'])).toEqual([]);
    expect(crowdedFolders(files(26))).toEqual([expect.stringContaining('services/x has 26 files')]);
  });
});

describe('a replaced word', () => {
  it.each([
    'carryOutErrands(ports)',
    'const job: LockedSimulation',
    'row.celery_id',
    'sendLastWords()',
    'DEAD; BURY_ALL',
  ])('is found: %s', (text) => {
    expect(replacedWords('packages/x/a.ts', `// fine\n${text}`)).toEqual([expect.stringContaining('a.ts:2 says')]);
  });

  it('may stand where it belongs', () => {
    expect(replacedWords('services/gateway/src/http/schemas/worker.ts', 'celery_id: celeryId')).toEqual([]);
    expect(replacedWords('packages/simulators/src/a.ts', 'the world of a geometry')).toEqual([]);
  });
});

describe('a link of a document', () => {
  it('leads to a file that is there, from the folder of the document', () => {
    const text = '[a](../src/a.ts#place) [b](b.md) [web](https://example.org/x) [here](#place)';
    expect(deadLinks('docs/adr/1.md', text, (file) => file === 'docs/src/a.ts')).toEqual([
      'docs/adr/1.md links to b.md, which is not there',
    ]);
  });
});

describe('the subject of a commit', () => {
  it.each([
    'feat(jobs): retry a task that lost its lease',
    'fix: close the pool',
    'refactor(auth,gateway): move mappers',
  ])('may be: %s', (subject) => {
    expect(subjectFaults(subject)).toEqual([]);
  });

  it.each([
    ['feat(jobs): retries a task', 'begins with "retries"'],
    ['fix(gateway): the answer has its length', 'begins with "the"'],
    ['add a test', 'is not "type(area): verb …"'],
    [`fix(jobs): close ${'a'.repeat(60)}`, 'has 77 characters'],
    ['fix(jobs): close what nobody hears of', 'says "nobody"'],
  ])('may not be: %s', (subject, fault) => {
    expect(subjectFaults(subject)).toEqual([expect.stringContaining(fault)]);
  });
});
