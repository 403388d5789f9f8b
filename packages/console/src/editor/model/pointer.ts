/** An object of JSON, of which nobody has checked what is in it. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys of a JSON pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a JSON pointer; `undefined` where there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const key of keysOf(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/**
 * The JSON with another value at a pointer; everything else is shared with `json`, which is not changed, and keys keep
 * their order. Objects that are missing on the way are made; `-` as the key of a list appends. `undefined` takes the member
 * or the item away.
 */
export function withValueAt<T>(json: T, pointer: string, value: unknown): T {
  // the same kind of thing as before, with another value inside
  return changeBelow(json, keysOf(pointer), value) as T;
}

function changeBelow(json: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(json)) {
    const items = [...(json as readonly unknown[])];
    const index = key === '-' ? items.length : Number(key);
    const after = changeBelow(items[index], rest, value);
    if (after === undefined) items.splice(index, 1);
    else items[index] = after;
    return items;
  }
  const members = isObject(json) ? json : {};
  const after = changeBelow(Object.hasOwn(members, key) ? members[key] : undefined, rest, value);
  if (after !== undefined) return { ...members, [key]: after };
  const { [key]: _, ...others } = members;
  return others;
}

/** An object of a list, and where it stands. */
export interface Item {
  readonly pointer: string;
  readonly index: number;
  readonly value: JsonObject;
}

/** The list at a pointer, empty where there is none. */
export function listAt(json: unknown, pointer: string): readonly unknown[] {
  const list = valueAt(json, pointer);
  return Array.isArray(list) ? list : [];
}

/** The objects of the list at a pointer, whatever else the list holds. */
export function itemsAt(json: unknown, pointer: string): Item[] {
  return listAt(json, pointer).flatMap((value, index): Item[] =>
    isObject(value) ? [{ pointer: `${pointer}/${index}`, index, value }] : [],
  );
}

/** A text at a pointer, empty where there is none. */
export function textAt(json: unknown, pointer: string): string {
  const value = valueAt(json, pointer);
  return typeof value === 'string' ? value : '';
}

/** A number at a pointer. */
export function numberAt(json: unknown, pointer: string, otherwise = 0): number {
  const value = valueAt(json, pointer);
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** Three numbers at a pointer. */
export function vectorAt(json: unknown, pointer: string, otherwise: Vector = [0, 0, 0]): Vector {
  return [
    numberAt(json, `${pointer}/0`, otherwise[0]),
    numberAt(json, `${pointer}/1`, otherwise[1]),
    numberAt(json, `${pointer}/2`, otherwise[2]),
  ];
}

/** x, y and z. */
export type Vector = readonly [number, number, number];

/** Whether two values of JSON are the same, in the order of their keys, too. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
