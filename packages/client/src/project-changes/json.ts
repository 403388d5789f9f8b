/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a key of its own. */
export const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** A member that is a text; undefined: it is none. */
export function textOf(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === 'string' && member !== '' ? member : undefined;
}

/** Deeper than this no project goes: what is below is compared as text. */
const DEPTH_MAX = 600;

/** Whether two values of JSON are the same, in whatever order their keys stand. */
export function isSame(before: unknown, after: unknown, depth = 0): boolean {
  if (before === after) return true;
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, i) => isSame(item, after[i], depth + 1));
  }
  if (!isObject(before) || !isObject(after)) return false;
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every((key) => Object.hasOwn(after, key) && isSame(before[key], after[key], depth + 1))
  );
}
