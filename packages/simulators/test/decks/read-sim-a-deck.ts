import type { Point } from '../zones/locate-in-project.js';

/** Reads decks of simA from their columns and keywords, knowing nothing of how they were written. */
export interface SimAZone {
  readonly number: number;
  /** Signed body numbers of every term. */
  readonly terms: readonly (readonly number[])[];
  readonly medium: number;
}

interface SimABody {
  readonly code: string;
  readonly values: readonly number[];
}

export interface SimAGeometry {
  readonly title: string;
  readonly bodies: ReadonlyMap<number, SimABody>;
  readonly zones: readonly SimAZone[];
}

export function readSimAGeometry(text: string): SimAGeometry {
  const lines = text.split('\n').filter((line) => !line.startsWith('*'));
  const ends = lines.flatMap((line, index) => (line === '  END' ? [index] : []));
  const [bodiesEnd = 0, zonesEnd = 0] = ends;
  const bodies = readBodies(lines.slice(2, bodiesEnd));
  const zones = readZones(lines.slice(bodiesEnd + 1, zonesEnd));
  const table = lines.slice(zonesEnd + 1).flatMap((line) => columns(line, 0, 5).map(Number));
  const numbers = table.slice(0, zones.length);
  const media = table.slice(zones.length);
  if (media.length !== zones.length) throw new Error('zones and media do not match');
  return {
    title: (lines[1] ?? '').slice(20),
    bodies,
    zones: zones.map(({ number, terms }, index) => {
      if (numbers[index] !== number) throw new Error(`zone ${number} is not in the table`);
      return { number, terms, medium: media[index] ?? -1 };
    }),
  };
}

/** Numbers of the zones that a point is in. */
export function zonesAt({ bodies, zones }: SimAGeometry, point: Point): SimAZone[] {
  const inside = new Map([...bodies].map(([number, body]) => [number, isInBody(body, point)]));
  return zones.filter(({ terms }) =>
    terms.some((term) => term.every((signed) => inside.get(Math.abs(signed)) === signed > 0)),
  );
}

/** Media of `mat.dat` by number: keyword and its value. */
export function readSimAMedia(text: string): Map<number, Map<string, string>> {
  const media = new Map<number, Map<string, string>>();
  let current = new Map<string, string>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [keyword = '', value = ''] = line.split(' ');
    if (keyword === 'MEDIUM') {
      current = new Map();
      media.set(Number(value), current);
    } else if (keyword !== 'END') current.set(keyword, value);
  }
  return media;
}

/** Keywords of `beam.dat` with their values; comments are gone. */
export function readSimABeam(text: string): Map<string, string[]> {
  const entries = text
    .split('\n')
    .map((line) => (line.split('!')[0] ?? '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
  return new Map(entries.map(([keyword = '', ...values]) => [keyword, values]));
}

/** A block of `detect.dat`: its kind, and its lines as words. */
export interface SimABlock {
  readonly kind: string;
  readonly lines: readonly (readonly string[])[];
}

export function readSimADetectors(text: string): SimABlock[] {
  const blocks: { kind: string; lines: string[][] }[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    if (!line.startsWith(' ')) blocks.push({ kind: line, lines: [] });
    else blocks.at(-1)?.lines.push(line.trim().split(/\s+/));
  }
  return blocks;
}

function readBodies(lines: readonly string[]): Map<number, SimABody> {
  const bodies = new Map<number, { code: string; values: number[] }>();
  let current: { code: string; values: number[] } | undefined;
  for (const line of lines) {
    const code = line.slice(2, 5).trim();
    if (code !== '') {
      current = { code, values: [] };
      bodies.set(Number(line.slice(6, 10)), current);
    }
    current?.values.push(...columns(line, 10, 10).map(Number));
  }
  return bodies;
}

function readZones(lines: readonly string[]): { number: number; terms: number[][] }[] {
  const zones: { number: number; terms: number[][] }[] = [];
  for (const line of lines) {
    if (line.length > 73) throw new Error(`the line of a zone has ${line.length} columns`);
    const head = line.slice(0, 10).trim();
    if (head !== '') zones.push({ number: Number(head), terms: [] });
    const terms = zones.at(-1)?.terms ?? [];
    for (const field of columns(line, 10, 7)) {
      if (terms.length === 0 || field.startsWith('OR')) terms.push([]);
      terms.at(-1)?.push(Number(field.slice(2)));
    }
  }
  return zones;
}

function columns(line: string, from: number, width: number): string[] {
  const fields: string[] = [];
  for (let first = from; first < line.length; first += width) fields.push(line.slice(first, first + width));
  return fields;
}

function isInBody({ code, values }: SimABody, [x, y, z]: Point): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = values;
  const [px, py, pz] = [x - a, y - b, z - c];
  if (code === 'SPH') return px * px + py * py + pz * pz <= d * d;
  if (code === 'RCC') {
    const length = Math.hypot(d, e, f);
    const along = (px * d + py * e + pz * f) / length;
    const square = px * px + py * py + pz * pz - along * along;
    return along >= 0 && along <= length && square <= g * g;
  }
  if (code !== 'BOX') throw new Error(`body ${code} is not known`);
  return [3, 6, 9].every((first) => {
    const [ex = 0, ey = 0, ez = 0] = values.slice(first, first + 3);
    const along = (px * ex + py * ey + pz * ez) / (ex * ex + ey * ey + ez * ez);
    return along >= 0 && along <= 1;
  });
}
