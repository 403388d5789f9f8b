import { DETECTOR_FILE } from '../deck-files.js';
import { createDeckFaults, type DeckFaults, readWords, type WordLine } from './deck-reader.js';

/** A block of the file: its kind, the word after it, and the lines under it. */
export interface Block {
  readonly kind: string;
  readonly type: string;
  readonly line: number;
  readonly lines: readonly WordLine[];
}

const BLOCKS = ['GEOMETRY', 'FILTER', 'SETTINGS', 'OUTPUT'];

export function readBlocks(text: string, faults: DeckFaults): Block[] {
  const blocks: { kind: string; type: string; line: number; lines: WordLine[] }[] = [];
  for (const entry of readWords(text)) {
    const [word = '', type = ''] = entry.words;
    if (BLOCKS.includes(word.toUpperCase())) {
      blocks.push({ kind: word.toUpperCase(), type: type.toUpperCase(), line: entry.line, lines: [] });
    } else if (blocks.length === 0) faults.refuse(DETECTOR_FILE, entry.line, `"${word}" stands outside of any block`);
    else blocks.at(-1)?.lines.push(entry);
  }
  return blocks;
}

export function findLine({ lines }: Block, keyword: string): WordLine | undefined {
  return lines.find(({ words }) => words[0]?.toUpperCase() === keyword);
}

export function wordOf(block: Block, keyword: string): string | undefined {
  return findLine(block, keyword)?.words[1];
}

/** A quantity of an output, by the lines of the file. */
export interface QuantityLines {
  readonly output: string;
  readonly keyword: string;
  /** Its own line and those of its axes. */
  readonly own: readonly number[];
  /** What else says something of it: its output, geometry, filters and settings. */
  readonly blocks: readonly Block[];
}

/** The blocks, and their quantities in the order of the file. */
export function listQuantityLines(text: string): { blocks: Block[]; quantities: QuantityLines[] } {
  const blocks = readBlocks(text, createDeckFaults());
  const byName = new Map<string, Block>();
  const quantities: QuantityLines[] = [];
  for (const block of blocks) {
    if (block.kind === 'OUTPUT') quantities.push(...quantitiesOf(block, byName));
    else byName.set(`${block.kind} ${wordOf(block, 'NAME') ?? ''}`, block);
  }
  return { blocks, quantities };
}

function quantitiesOf(block: Block, byName: ReadonlyMap<string, Block>): QuantityLines[] {
  const find = (name: string): Block[] => [byName.get(name) ?? []].flat();
  const shared = [block, ...find(`GEOMETRY ${wordOf(block, 'GEO') ?? ''}`)];
  const output = outputName(block);
  const quantities: (QuantityLines & { own: number[] })[] = [];
  for (const { line, words } of block.lines) {
    const [word = '', keyword = '', ...names] = words;
    if (word.toUpperCase() === 'QUANTITY') {
      const used = names.flatMap((name) => [...find(`FILTER ${name}`), ...find(`SETTINGS ${name}`)]);
      quantities.push({ output, keyword, own: [line], blocks: [...shared, ...used] });
    } else if (isAxisLine(word)) quantities.at(-1)?.own.push(line);
  }
  return quantities;
}

/** `Diff1`, `Diff1Type` and the like. */
export function isAxisLine(word: string): boolean {
  return /^DIFF[12](TYPE)?$/i.test(word);
}

/** The name of an output is its file's, without the ending. */
export function outputName(block: Block): string {
  return (wordOf(block, 'FILENAME') ?? '').replace(/\.bdo$/i, '');
}
