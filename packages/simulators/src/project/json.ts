/** An object of JSON that nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a value stands in JSON. */
export interface JsonPlace {
  /** RFC 6901; keys of projects need no escapes. */
  readonly pointer: string;
  /** The objects around it, the outermost first. */
  readonly around: readonly JsonObject[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key of its own, whatever `value` is. */
export function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * The JSON with another value wherever there is one at the places of a pattern: a pointer in which `*` is every item of a
 * list. A key whose value becomes `undefined` goes. What stays the same is shared with `json`, which is not changed.
 */
export function changeAt(
  json: unknown,
  pattern: string,
  change: (value: unknown, place: JsonPlace) => unknown,
): unknown {
  return changeBelow(json, pattern.split('/').slice(1), change, { pointer: '', around: [] });
}

function changeBelow(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (value: unknown, place: JsonPlace) => unknown,
  { pointer, around }: JsonPlace,
): unknown {
  if (key === undefined) return change(value, { pointer, around });
  if (key === '*') {
    if (!Array.isArray(value)) return value;
    const items: unknown[] = value.map((item, index) =>
      changeBelow(item, rest, change, { pointer: `${pointer}/${index}`, around }),
    );
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const before = memberOf(value, key);
  if (before === undefined || !isObject(value)) return value;
  const after = changeBelow(before, rest, change, { pointer: `${pointer}/${key}`, around: [...around, value] });
  if (after === before) return value;
  const { [key]: _, ...others } = value;
  return after === undefined ? others : { ...value, [key]: after };
}
