import type { ConversionItem } from '../../conversion-error.js';
import type { ConversionWarning } from '../../conversion-warning.js';
import { withoutComment } from '../beam-numbers.js';

/** Something that is wrong with users' files, or cannot be done. */
export interface DeckFault extends ConversionItem {
  /** Line of the detectors' file, from 1, that asks for what the built-in engine cannot score; nothing is wrong with it. */
  readonly unscoredLine?: number;
}

/** Collects, while users' files are read, everything that is wrong with them or cannot be done. */
export interface DeckFaults {
  readonly items: readonly DeckFault[];
  readonly warnings: readonly ConversionWarning[];
  /** `line`: from 1; absent for the file as a whole. */
  readonly refuse: (file: string, line: number | undefined, message: string) => void;
  /** What the built-in engine cannot score, though the file may ask for it. */
  readonly refuseToScore: (file: string, line: number, message: string) => void;
  readonly warn: (code: string, message: string) => void;
}

/** Most faults that one error lists. */
const ITEMS_MAX = 100;

export function createDeckFaults(): DeckFaults {
  const items: DeckFault[] = [];
  const warnings: ConversionWarning[] = [];
  const add = (item: DeckFault): void => {
    if (items.length < ITEMS_MAX) items.push(item);
  };
  return {
    items,
    warnings,
    refuse: (file, line, message) =>
      add({ path: `/${file}`, message: line === undefined ? message : `line ${line}: ${message}` }),
    refuseToScore: (file, line, message) =>
      add({ path: `/${file}`, message: `line ${line}: ${message}`, unscoredLine: line }),
    warn(code, message) {
      if (warnings.some((warning) => warning.code === code && warning.message === message)) return;
      warnings.push({ code, message });
    },
  };
}

/** A line of a free-format file: its words, without comment. */
export interface WordLine {
  /** From 1. */
  readonly line: number;
  readonly words: readonly string[];
}

/** Lines that say something; `!` (but not that of `!=`), `#` and a `*` in front begin comments. */
export function readWords(text: string): WordLine[] {
  return text
    .split(/\r?\n/)
    .map((content, index) => ({ line: index + 1, words: splitWords(content) }))
    .filter(({ words }) => words.length > 0);
}

function splitWords(content: string): string[] {
  return withoutComment(content)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** A finite number, Fortran's `D` exponents included; `undefined` for anything else. */
export function parseNumber(word: string | undefined): number | undefined {
  if (word === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/.test(word.trim())) return undefined;
  const value = Number(word.trim().replace(/[dD]/, 'e'));
  return Number.isFinite(value) ? value : undefined;
}
