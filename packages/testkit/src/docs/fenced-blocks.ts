import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '../workspace-root.js';

/** A fenced block of a page (CommonMark 0.31.2, 4.5). */
export interface FencedBlock {
  /** Heading above it, or the bold words with a full stop that a paragraph between begins with; empty: none. */
  readonly title: string;
  /** First word of the info string; empty: text, such as what a command prints. */
  readonly language: string;
  readonly code: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  /** Why it is not run, from an info string such as `sh no-run: needs a realm`. Undefined: it is run. */
  readonly reason: string | undefined;
}

/** An info string: a language, and for what cannot be run the reason. */
const INFO = /^(\S*)(?:\s+no-run:\s*(.+))?$/;
const TITLE = /^(?:#+ (.+)|\*\*(.+?)\.\*\*.*)$/;

/** The fenced blocks of a page, in its order. @throws Error for a fence that does not end, or whose info string has no reason */
export function fencedBlocks(page: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: Omit<FencedBlock, 'code'> | undefined;
  let title = '';
  let code: string[] = [];
  for (const [index, text] of page.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(text)?.[1];
    if (open === undefined && fence !== undefined) {
      const [, language, reason] = INFO.exec(fence.trim()) ?? [];
      if (language === undefined)
        throw new Error(`line ${index + 1}: "${fence}" is no language, or no-run has no reason`);
      open = { title, language, reason, line: index + 1 };
      code = [];
    } else if (open !== undefined && fence === '') {
      blocks.push({ ...open, code: code.join('\n') });
      open = undefined;
    } else if (open !== undefined) code.push(text);
    else {
      const [, heading, lead] = TITLE.exec(text) ?? [];
      title = heading ?? lead ?? title;
    }
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the block does not end`);
  return blocks;
}

/** Blocks of a page below docs/ that are run, by their language and the title above. @throws Error: there are none */
export function codeOf(page: string, title: string, language: string): string[] {
  const blocks = fencedBlocks(readFileSync(path.join(workspaceRoot(), 'docs', page), 'utf8'));
  const found = blocks.filter(
    (block) => block.title === title && block.language === language && block.reason === undefined,
  );
  if (found.length === 0) throw new Error(`${page} has no ${language} below "${title}"`);
  return found.map(({ code }) => `${code}\n`);
}

/** Commands of a page below a title, one after the other. @throws Error: there are none */
export const commandsOf = (page: string, title: string): string => codeOf(page, title, 'sh').join('\n');
