import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fencedBlocks, workspaceRoot } from '@tally/testkit';

const PAGES = ['operators-guide.md', 'administration.md'];
/** Where programs are that run blocks of these pages: each names the page and the title above. */
const RUNNERS = ['tools/kubernetes', 'tools/k8s', 'e2e/docs'];
const GUIDE_BYTES_MAX = 20_000;

const root = workspaceRoot();
const sources = RUNNERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /\.(mjs|ts)$/.test(name) && !name.startsWith('named-blocks'))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
);
const named = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/'([a-z-]+\.md)',\s*'([^']+)'(?:,\s*'([a-z]+)')?/g)].map(
      ([, page, title, language = 'sh']) => `${page}: ${language} below ${title}`,
    ),
  ),
);

describe('the pages for operators', () => {
  it.each(PAGES)('%s: some test runs each block, or it says why none does', (page) => {
    const blocks = fencedBlocks(readFileSync(path.join(root, 'docs', page), 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    const left = blocks.filter(({ reason }) => reason === undefined);
    const unnamed = left.map(({ title, language }) => `${page}: ${language} below ${title}`);
    expect(unnamed.filter((block) => !named.has(block))).toEqual([]);
  });

  it('have a guide that is read in a sitting', () => {
    expect(statSync(path.join(root, 'docs/operators-guide.md')).size).toBeLessThanOrEqual(GUIDE_BYTES_MAX);
  });
});
