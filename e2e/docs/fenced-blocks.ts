/** A fenced block of a page (CommonMark 0.31.2, 4.5). */
export interface FencedBlock {
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

/** The fenced blocks of a page, in its order. @throws Error for a fence that does not end, or whose info string has no reason */
export function fencedBlocks(page: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { readonly language: string; readonly reason: string | undefined; readonly line: number } | undefined;
  let code: string[] = [];
  for (const [index, text] of page.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(text)?.[1];
    if (open === undefined && fence !== undefined) {
      const [, language, reason] = INFO.exec(fence.trim()) ?? [];
      if (language === undefined)
        throw new Error(`line ${index + 1}: "${fence}" is no language, or no-run has no reason`);
      open = { language, reason, line: index + 1 };
      code = [];
    } else if (open !== undefined && fence === '') {
      blocks.push({ ...open, code: code.join('\n') });
      open = undefined;
    } else code.push(text);
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the block does not end`);
  return blocks;
}
