import { CONTAINERS, fieldWords, ITEM_NOUNS, THING_WORDS, UNSEEN_KEYS, unitOf } from './field-words.js';
import { isObject, isSame, type JsonObject, textOf } from './json.js';
import { collectNames, type Names, valueWords } from './value-words.js';

/** Sentences that are told at most; the last one says how many more there are. */
export const SENTENCES_MAX = 200;
/** Deeper than this no part of a project is told apart. */
const DEPTH_MAX = 60;

/** Both sides of a comparison. */
interface Side<T> {
  readonly before: T;
  readonly after: T;
}

/** Where a comparison stands: of what, in words, as in `of zone Target`, and under which key. */
interface Place {
  readonly of: string;
  readonly key: string;
  readonly depth: number;
}

/**
 * What differs between two projects of the editor, in sentences such as `energy of the beam: 150 → 120 MeV`, `zone Bone added` and
 * `material of zone Target: Water → Compact bone`. Things are matched by their uuid, else by their name. The order of lists, views and colours are not
 * told apart; where nothing else differs one sentence says so. Empty: the two are the same.
 */
export function describeProjectChanges(before: unknown, after: unknown): readonly string[] {
  if (isSame(before, after)) return [];
  const names = { before: collectNames(before), after: collectNames(after) };
  const sentences = new Sentences(names);
  sentences.compare({ before, after }, { of: '', key: '', depth: 0 });
  const { told } = sentences;
  if (told.length === 0) return ['only the way it is shown, or the order of things, has changed'];
  if (told.length <= SENTENCES_MAX) return told;
  return [...told.slice(0, SENTENCES_MAX - 1), `and ${told.length - SENTENCES_MAX + 1} more changes`];
}

class Sentences {
  readonly told: string[] = [];

  constructor(private readonly names: Side<Names>) {}

  compare({ before, after }: Side<unknown>, place: Place): void {
    if (isSame(before, after)) return;
    const noun = ITEM_NOUNS.get(place.key);
    if (noun !== undefined && isList(before) && isList(after)) this.#compareLists({ before, after }, noun, place);
    else if (isObject(before) && isObject(after) && place.depth < DEPTH_MAX && !isValue(place.key)) {
      this.#compareObjects({ before, after }, place);
    } else this.#tell({ before, after }, place);
  }

  #compareObjects({ before, after }: Side<JsonObject>, { of, key: ownerKey, depth }: Place): void {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (UNSEEN_KEYS.has(key) || (key === 'name' && ownerKey === '' && of !== '')) continue;
      const side = { before: own(before, key), after: own(after, key) };
      if (isSame(side.before, side.after)) continue;
      const isPart = isObject(side.before ?? side.after) && !isValue(key);
      const place = { of: isPart ? partOf(key, of) : of, key, depth: depth + 1 };
      if (isPart || ITEM_NOUNS.has(key)) this.compare(asPair(side, key), place);
      else this.#tell(side, { ...place, unit: unitOf(key, isObject(after) ? after : before, ownerKey) });
    }
  }

  #compareLists({ before, after }: Side<readonly unknown[]>, noun: string, { of, depth }: Place): void {
    const [old, now] = [byIdentity(before), byIdentity(after)];
    for (const [identity, item] of old) {
      if (!now.has(identity)) this.told.push(`${nameOf(noun, item, of)} removed`);
    }
    for (const [identity, item] of now) {
      const earlier = old.get(identity);
      if (earlier === undefined) {
        this.told.push(`${nameOf(noun, item, of)} added`);
        continue;
      }
      const [was, is] = [textOf(earlier, 'name') ?? 'without a name', textOf(item, 'name') ?? 'without a name'];
      if (was !== is) this.told.push(`${noun} ${was}${of} is now ${is}`);
      this.compare(
        { before: earlier, after: item },
        { of: ` of ${nameOf(noun, item, of)}`, key: '', depth: depth + 1 },
      );
    }
  }

  #tell({ before, after }: Side<unknown>, { of, key, unit = '' }: Place & { readonly unit?: string }): void {
    const what = `${fieldWords(key)}${of}`;
    const [was, is] = [valueWords(key, before, this.names.before), valueWords(key, after, this.names.after)];
    if (was === undefined || is === undefined || was === is) this.told.push(`${what} changed`);
    else this.told.push(`${what}: ${was} → ${is}${is === 'none' && was === 'none' ? '' : unit}`);
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
/** Told as one value, though it is an object. */
const isValue = (key: string) => key === 'particle';
const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** What came or went is compared with nothing, so that each of its members is told. */
function asPair({ before, after }: Side<unknown>, key: string): Side<unknown> {
  const nothing = ITEM_NOUNS.has(key) ? [] : {};
  return { before: before ?? nothing, after: after ?? nothing };
}

function partOf(key: string, of: string): string {
  if (CONTAINERS.has(key)) return of;
  const thing = THING_WORDS.get(key);
  return thing === undefined ? ` of ${fieldWords(key)}${of}` : ` of ${thing}`;
}

const nameOf = (noun: string, item: unknown, of: string) => {
  const name = textOf(item, 'name') ?? textOf(item, 'keyword') ?? textOf(item, 'diffType');
  return `${name === undefined ? `a ${noun}` : `${noun} ${name}`}${of}`;
};

/** Items by their uuid, else by their name, else by their place; of several with one identity each counts. */
function byIdentity(items: readonly unknown[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  items.forEach((item, place) => {
    const identity = textOf(item, 'uuid') ?? textOf(item, 'name') ?? `#${place}`;
    let free = identity;
    for (let copy = 2; found.has(free); copy++) free = `${identity} ${copy}`;
    found.set(free, item);
  });
  return found;
}
