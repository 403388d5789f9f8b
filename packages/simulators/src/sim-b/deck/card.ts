import { formatG, formatShort } from '../../deck/number-format.js';

/** Columns of a card: codeword, six fields WHAT(1) to WHAT(6) and SDUM, ten each. */
const FIELD_WIDTH = 10;
const FIELDS_MAX = 6;
/** Significant digits to try, one of which always fits. */
const DIGITS = [9, 8, 7, 6, 5, 4, 3, 2, 1] as const;

/** A number, a name, or nothing: the simulator's default. */
export type Field = number | string | undefined;

/**
 * One line of the card deck, fields right-aligned, names and SDUM as they are.
 * @param sdum at most ten characters
 */
export function formatCard(codeword: string, fields: readonly Field[] = [], sdum = ''): string {
  if (fields.length > FIELDS_MAX) throw new RangeError(`${codeword} has ${fields.length} fields`);
  const texts = Array.from({ length: FIELDS_MAX }, (_, index) => formatField(fields[index]).padStart(FIELD_WIDTH));
  return `${codeword.padEnd(FIELD_WIDTH)}${texts.join('')}${sdum}`.trimEnd();
}

/** The shortest text that reads back as the same number, or as many digits of it as the field has room for. */
function formatField(field: Field): string {
  if (field === undefined) return '';
  if (typeof field === 'string') return field;
  const texts = [formatShort(field), ...DIGITS.map((digits) => formatG(field, digits))];
  return texts.find((text) => text.length <= FIELD_WIDTH) ?? '';
}
