import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fencedBlocks, workspaceRoot } from '@tally/testkit';
import { installCommand } from '../cli/installed-command.js';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { environmentOf, python } from '../python/python-run.js';
import { startPage } from './page-run.js';

const TIME_LIMIT_MS = 300_000;
/** Pages for operators and engineers: their commands change a cluster or a clone, and other tests run what they show. */
const NOT_FOR_USERS = [
  'administration.md',
  'architecture.md',
  'batch.md',
  'developers-guide.md',
  'errors.md',
  'glossary.md',
  'how-we-write-sql.md',
  'kubernetes-test.md',
  'monitoring.md',
  'operators-guide.md',
  'performance.md',
  'reliability.md',
  'scale.md',
  'security.md',
  'settings.md',
];
/** Blocks that are not run; each has a reason, and a reader cannot know whether it works. */
const NOT_RUN_MAX = 8;
/** What readers look at and do not type. */
const TEXT_LANGUAGES = ['', 'mermaid', 'text'];

const root = workspaceRoot();
const pages = [
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !NOT_FOR_USERS.includes(name))
    .map((name) => `docs/${name}`),
  'README.md',
  'examples/README.md',
  'clients/python/README.md',
].map((name) => {
  const blocks = fencedBlocks(readFileSync(path.join(root, name), 'utf8'));
  return { name, blocks: blocks.filter(({ language }) => !TEXT_LANGUAGES.includes(language)) };
});

describe('the commands and code of the pages for users', () => {
  let suite: TestSuite;
  let env: Record<string, string>;
  beforeAll(async () => {
    suite = await startTestSuite();
    const { bin } = await installCommand(suite);
    env = { ...(await environmentOf(suite)), PATH: `${bin}:${process.env.PATH ?? ''}`, LANG: 'C.UTF-8' };
  });
  afterAll(() => suite?.stop());

  it('are run but for a few, which say why not', () => {
    const left = pages.flatMap(({ name, blocks }) =>
      blocks.flatMap(({ reason, line }) => (reason === undefined ? [] : [`${name}:${line}: ${reason}`])),
    );
    process.stdout.write(left.map((line) => `  not run: ${line}\n`).join(''));
    expect(left.length).toBeLessThanOrEqual(NOT_RUN_MAX);
  });

  it.each(pages.filter(({ blocks }) => blocks.length > 0))(
    'do what $name says, in its order',
    async ({ name, blocks }) => {
      const page = startPage({ folder: path.join(suite.directory, name.replaceAll('/', '-')), env, python });
      try {
        for (const block of blocks.filter(({ reason }) => reason === undefined)) await page.run(block);
      } finally {
        page.stop();
      }
    },
    TIME_LIMIT_MS,
  );
});
