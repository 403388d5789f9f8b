/** A card of a FLUKA deck, by columns. */
export interface Card {
  readonly codeword: string;
  /** WHAT(1) to WHAT(6) as they stand, without blanks. */
  readonly whats: readonly string[];
  readonly sdum: string;
}

type Point = readonly [number, number, number];

export interface SimBDeck {
  readonly title: string;
  readonly cards: readonly Card[];
  /** By name: code and numbers. */
  readonly bodies: ReadonlyMap<string, { readonly code: string; readonly numbers: readonly number[] }>;
  /** By name: terms of signed body names. */
  readonly regions: ReadonlyMap<string, readonly (readonly string[])[]>;
}

/** Numbers of a body, by its code (FLUKA manual, body types). */
const BODY_NUMBERS: Readonly<Record<string, number>> = { RPP: 6, BOX: 12, SPH: 4, RCC: 7 };
const LINE_LENGTH_MAX = 132;

/** Reads a deck in fixed format with name-based geometry, and throws at whatever the simulator would not read. */
export function readSimBDeck(text: string): SimBDeck {
  const lines = text.split('\n');
  for (const line of lines) if (line.length > LINE_LENGTH_MAX) throw new Error(`line too long: ${line}`);
  const begin = lines.findIndex((line) => line.startsWith('GEOBEGIN'));
  const end = lines.findIndex((line) => line.startsWith('GEOEND'));
  const titleIndex = lines.findIndex((line) => line.startsWith('TITLE'));
  const geometry = lines.slice(begin + 2, end).filter((line) => !line.startsWith('*') && line.trim() !== '');
  const [bodyEnd = -1, regionEnd = -1] = [...geometry.keys()].filter((index) => geometry[index]?.trim() === 'END');
  const outside = lines.filter(
    (line, index) =>
      index !== titleIndex + 1 && (index <= begin || index > end) && !line.startsWith('*') && line !== '',
  );
  return {
    title: lines[titleIndex + 1] ?? '',
    cards: outside.map(parseCard),
    bodies: parseBodies(geometry.slice(0, bodyEnd)),
    regions: parseRegions(geometry.slice(bodyEnd + 1, regionEnd)),
  };
}

function parseCard(line: string): Card {
  const whats = [1, 2, 3, 4, 5, 6].map((field) => line.slice(10 * field, 10 * field + 10));
  for (const what of whats) if (/\S\s+\S/.test(what)) throw new Error(`two values in one field: ${line}`);
  return {
    codeword: line.slice(0, 10).trim(),
    whats: whats.map((what) => what.trim()),
    sdum: line.slice(70, 80).trim(),
  };
}

function parseBodies(lines: readonly string[]): SimBDeck['bodies'] {
  const words = lines.flatMap((line) => line.trim().split(/\s+/));
  const bodies = new Map<string, { code: string; numbers: number[] }>();
  for (let at = 0; at < words.length; ) {
    const [code = '', name = ''] = words.slice(at, at + 2);
    const count = BODY_NUMBERS[code];
    if (count === undefined || !/^[A-Za-z]\w{0,7}$/.test(name) || bodies.has(name))
      throw new Error(`body ${code} ${name}`);
    const numbers = words.slice(at + 2, at + 2 + count).map(Number);
    if (numbers.length < count || numbers.some((number) => !Number.isFinite(number)))
      throw new Error(`numbers of ${name}`);
    bodies.set(name, { code, numbers });
    at += 2 + count;
  }
  return bodies;
}

function parseRegions(lines: readonly string[]): SimBDeck['regions'] {
  const regions = new Map<string, string[][]>();
  const joined: string[] = [];
  for (const line of lines) {
    if (/^\S/.test(line)) joined.push(line);
    else joined.push(`${joined.pop() ?? ''} ${line}`);
  }
  for (const line of joined) {
    const [name = '', neighbours, ...words] = line.trim().split(/\s+/);
    if (!/^[A-Za-z]\w{0,7}$/.test(name) || neighbours !== '5' || regions.has(name)) throw new Error(`region ${line}`);
    const hasBars = words.includes('|');
    // a union has a bar before every term, also before the first
    if (hasBars && words[0] !== '|') throw new Error(`no bar before the first term: ${line}`);
    const terms: string[][] = hasBars ? [] : [[]];
    for (const word of words) {
      if (word === '|') terms.push([]);
      else if (/^[+-]\w+$/.test(word)) terms.at(-1)?.push(word);
      else throw new Error(`word ${word} of ${name}`);
    }
    regions.set(name, terms);
  }
  return regions;
}

/** Names of all regions that a point is in: one, in a sound deck. */
export function findRegions(deck: SimBDeck, point: Point): string[] {
  const inside = new Map([...deck.bodies].map(([name, body]) => [name, isInside(body, point)]));
  const holds = (word: string): boolean => {
    const is = inside.get(word.slice(1));
    if (is === undefined) throw new Error(`no body ${word}`);
    return word.startsWith('+') ? is : !is;
  };
  return [...deck.regions].filter(([, terms]) => terms.some((term) => term.every(holds))).map(([name]) => name);
}

function isInside({ code, numbers }: { code: string; numbers: readonly number[] }, [x, y, z]: Point): boolean {
  const at = (index: number): number => numbers[index] ?? Number.NaN;
  const vectorAt = (index: number): Point => [at(index), at(index + 1), at(index + 2)];
  const from = (index: number): Point => [x - at(index), y - at(index + 1), z - at(index + 2)];
  switch (code) {
    case 'RPP':
      return x >= at(0) && x <= at(1) && y >= at(2) && y <= at(3) && z >= at(4) && z <= at(5);
    case 'SPH':
      return Math.hypot(...from(0)) <= at(3);
    case 'RCC': {
      const [offset, axis] = [from(0), vectorAt(3)];
      const along = dot(offset, axis) / dot(axis, axis);
      const across = dot(offset, offset) - along * along * dot(axis, axis);
      return along >= 0 && along <= 1 && across <= at(6) * at(6);
    }
    default:
      return [3, 6, 9].every((edge) => {
        const share = dot(from(0), vectorAt(edge)) / dot(vectorAt(edge), vectorAt(edge));
        return share >= 0 && share <= 1;
      });
  }
}

function dot(one: Point, other: Point): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

/** Cards of one codeword. */
export function cardsOf(deck: SimBDeck, codeword: string): Card[] {
  return deck.cards.filter((card) => card.codeword === codeword);
}
