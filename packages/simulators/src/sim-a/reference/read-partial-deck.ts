import type { ConversionWarning } from '../../conversion-warning.js';
import type { DeckFiles } from '../../driver.js';
import { omitRefused } from '../../omission.js';
import { DETECTOR_FILE } from '../deck-files.js';
import type { DeckFault } from './deck-reader.js';
import { type Block, listQuantityLines } from './detector-blocks.js';

/**
 * A deck without the quantities that the built-in engine cannot score, by the lines of `detect.dat` that say something of
 * them; blocks that no quantity uses are not looked at. What is wrong with a deck is never left out.
 * @param read - throws ConversionError `FILES_INVALID`
 * @throws ConversionError `FILES_INVALID`
 */
export function readPartialDeck<Deck>(
  files: DeckFiles,
  read: (files: DeckFiles) => Deck,
): { readonly deck: Deck; readonly omissions: readonly ConversionWarning[] } {
  const text = files[DETECTOR_FILE] ?? '';
  const { blocks, quantities } = listQuantityLines(text);
  const scoring = new Set(quantities.flatMap((quantity) => quantity.blocks));
  const blockOfLine = new Map(blocks.flatMap((block) => linesOf(block).map((line) => [line, block])));
  const { result, omissions } = omitRefused('FILES_INVALID', {
    quantities,
    nameOf: ({ output, keyword }) => ({ output, quantity: keyword }),
    placesOf: (quantity) => [...quantity.own.map(placeOfLine), ...quantity.blocks.map(placeOfBlock)],
    placesAround({ unscoredLine }: DeckFault) {
      const block = blockOfLine.get(unscoredLine ?? 0);
      return block === undefined || unscoredLine === undefined ? [] : [placeOfLine(unscoredLine), placeOfBlock(block)];
    },
    attempt(left) {
      const used = new Set(quantities.filter((quantity) => !left.has(quantity)).flatMap((quantity) => quantity.blocks));
      const isSpare = (block: Block): boolean => !used.has(block) && (block.kind !== 'OUTPUT' || scoring.has(block));
      const spare = blocks.filter(isSpare).flatMap(linesOf);
      return read({ ...files, [DETECTOR_FILE]: emptyLines(text, [...spare, ...[...left].flatMap(({ own }) => own)]) });
    },
  });
  return { deck: result, omissions };
}

function linesOf(block: Block): number[] {
  return [block.line, ...block.lines.map(({ line }) => line)];
}

function placeOfLine(line: number): string {
  return `line ${line}`;
}

function placeOfBlock({ line }: Block): string {
  return `block ${line}`;
}

function emptyLines(text: string, lines: readonly number[]): string {
  const emptied = new Set(lines);
  return text
    .split('\n')
    .map((content, index) => (emptied.has(index + 1) ? '' : content))
    .join('\n');
}
