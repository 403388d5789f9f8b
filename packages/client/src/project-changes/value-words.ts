import { isObject, memberOf, textOf } from './json.js';

/** Names of what has a uuid. */
export type Names = ReadonlyMap<string, string>;

/** Longest text that is quoted. */
const TEXT_LENGTH_MAX = 60;
const LIST_LENGTH_MAX = 6;
/** How a figure joins a zone. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    union: '+',
    intersection: '∩',
    subtraction: '−',
    'reverse-subtraction': 'subtracted from',
  }),
);

/** Collects the names of everything in a project that has a uuid. */
export function collectNames(project: unknown): Names {
  const names = new Map<string, string>();
  const open: unknown[] = [project];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value.filter((item: unknown) => typeof item === 'object' && item !== null));
    if (!isObject(value)) continue;
    const [uuid, name] = [textOf(value, 'uuid'), textOf(value, 'name')];
    if (uuid !== undefined && name !== undefined && !names.has(uuid)) names.set(uuid, name);
    open.push(...Object.values(value).filter((item) => typeof item === 'object' && item !== null));
  }
  return names;
}

/** A value in words, with references by name; undefined: it is too long or too deep to be told. */
export function valueWords(key: string, value: unknown, names: Names): string | undefined {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value === '' ? 'none' : textWords(names.get(value) ?? value);
  if (key === 'particle') return particleWords(value);
  if (key === 'unionOperations') return shapeWords(value, names);
  if (Array.isArray(value) && value.length <= LIST_LENGTH_MAX && value.every((item) => typeof item === 'number')) {
    return `(${value.join(', ')})`;
  }
  return undefined;
}

const textWords = (text: string) => (text.length <= TEXT_LENGTH_MAX && !text.includes('\n') ? text : undefined);

function particleWords(particle: unknown): string | undefined {
  const number = (key: string) => memberOf(particle, key);
  const [a, z] = [number('a'), number('z')];
  const name = textOf(particle, 'name');
  if (name !== undefined) {
    const isIon = typeof a === 'number' && typeof z === 'number' && /ion/i.test(name);
    return isIon ? `${name} (Z=${z}, A=${a})` : name;
  }
  const id = number('pdg') ?? number('id');
  return typeof id === 'number' ? `particle ${id}` : undefined;
}

/** `Tank − Insert, or Slab`. */
function shapeWords(terms: unknown, names: Names): string | undefined {
  if (!Array.isArray(terms)) return undefined;
  const words = terms.flatMap((term: unknown) => {
    if (!Array.isArray(term) || term.length === 0) return [];
    return term
      .map((operation: unknown, i) => {
        const uuid = textOf(operation, 'objectUuid') ?? '';
        const sign = SIGNS.get(textOf(operation, 'mode') ?? '') ?? '?';
        return i === 0
          ? (names.get(uuid) ?? 'a figure that is gone')
          : `${sign} ${names.get(uuid) ?? 'a figure that is gone'}`;
      })
      .join(' ');
  });
  const text = words.join(' or ');
  return text.length > 4 * TEXT_LENGTH_MAX ? undefined : text || 'nothing';
}
