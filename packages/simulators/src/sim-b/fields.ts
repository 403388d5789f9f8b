/** Columns of the fixed format: codeword 1–10, then six fields of ten, then SDUM. */
const FIELD_WIDTH = 10;
const FIELDS = 6;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/;
/** Where fields may end in the free format. */
const SEPARATOR = /(\s*,\s*|\s+)/;

/** A card and the format that it is in; `undefined`: neither. */
export type CardFormat = 'fixed' | 'free' | undefined;

/**
 * The format of a card. Fixed: the first two values stand in their columns. Free, where the deck may be: anything else. Elsewhere
 * a card with one value, or with commas, can mean one thing only; others cannot be told from one whose columns have slipped.
 */
export function formatOf(card: string, mayBeFree: boolean): CardFormat {
  if (isFixed(card)) return 'fixed';
  return mayBeFree || card.includes(',') || splitFree(card).fields.length <= 1 ? 'free' : undefined;
}

/** What stands in WHAT(`number`), from 1. */
export function readField(card: string, format: CardFormat, number: number): string {
  return format === 'fixed' ? fixedField(card, number) : (splitFree(card).fields[number - 1] ?? '');
}

/**
 * The card with WHAT(1), WHAT(2) … set to `values`, each of at most ten characters. A card in the free format stays in it where
 * the deck is; else it is brought into columns, where the simulator looks.
 */
export function setFields(
  card: string,
  { format, mayBeFree }: { readonly format: CardFormat; readonly mayBeFree: boolean },
  values: readonly string[],
): string {
  if (format === 'fixed') {
    return toColumns(card.slice(0, FIELD_WIDTH), values) + card.slice((values.length + 1) * FIELD_WIDTH);
  }
  const { head, parts, fields } = splitFree(card);
  if (!mayBeFree) return toColumns(head.replace(/[\s,]+$/, '').trim(), [...values, ...fields.slice(values.length)]);
  for (const [index, value] of values.entries()) {
    if (2 * index < parts.length && parts.length > 0) parts[2 * index] = value;
    else parts.push(' ', value);
  }
  return (/[\s,]$/.test(head) ? head : `${head} `) + parts.join('').trimStart();
}

function toColumns(codeword: string, fields: readonly string[]): string {
  const texts = fields.slice(0, FIELDS).map((field) => field.padStart(FIELD_WIDTH));
  return codeword.padEnd(FIELD_WIDTH) + texts.join('');
}

function isFixed(card: string): boolean {
  if (card !== card.trimStart() || card.includes(',')) return false;
  if (/\s/.test(card.slice(0, FIELD_WIDTH).trim())) return false;
  return [fixedField(card, 1), fixedField(card, 2)].every((field) => field === '' || NUMBER.test(field));
}

function fixedField(card: string, field: number): string {
  return card.slice(field * FIELD_WIDTH, (field + 1) * FIELD_WIDTH).trim();
}

/** The codeword with what separates it from the first field; fields and separators in turn. Between two commas is an empty field. */
function splitFree(card: string): { head: string; parts: string[]; fields: string[] } {
  const head = /^\s*[^\s,]*(?:\s*,\s*|\s+)?/.exec(card)?.[0] ?? '';
  const rest = card.slice(head.length).trimEnd();
  const parts = rest === '' ? [] : rest.split(SEPARATOR);
  return { head, parts, fields: parts.filter((_, index) => index % 2 === 0) };
}
