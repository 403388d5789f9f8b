/** What a field may hold. */
export interface NumberRules {
  readonly isInteger?: boolean;
  /** Empty stands for a member that is not there. */
  readonly isOptional?: boolean;
}

/** What a text says: a number, nothing where that is allowed, or why neither. */
export type ReadNumber =
  | { readonly value: number | undefined }
  | { readonly fault: 'empty' | 'comma' | 'notNumber' | 'notInteger' };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a number as people type it: spaces between thousands, exponents; a comma is asked about, as it means two things. */
export function readNumber(text: string, { isInteger = false, isOptional = false }: NumberRules = {}): ReadNumber {
  const plain = text.replace(/[\s\u00a0\u202f_]/g, '').replace(/^\u2212/, '-');
  if (plain === '') return isOptional ? { value: undefined } : { fault: 'empty' };
  if (/^[^,]*\d,\d[^,]*$/.test(plain)) return { fault: 'comma' };
  if (!NUMBER.test(plain)) return { fault: 'notNumber' };
  const value = Number(plain);
  if (!Number.isFinite(value)) return { fault: 'notNumber' };
  return isInteger && !Number.isInteger(value) ? { fault: 'notInteger' } : { value };
}

/** A number as it stands in a field. */
export function writeNumber(value: unknown): string {
  if (typeof value !== 'number') return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Number.isInteger(value) && Math.abs(value) >= 10_000 && Math.abs(value) < 1e15
    ? value.toLocaleString('en').replaceAll(',', ' ')
    : String(value);
}
