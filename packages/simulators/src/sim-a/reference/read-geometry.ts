import type { Figure, TransportProblem, Zone } from '@tally/engine';
import { listBodies } from '../../deck/geometry/body.js';
import { createBodyRelations } from '../../deck/geometry/body-relations.js';
import { GEOMETRY_FILE } from '../deck-files.js';
import { type FileBody, toFigure } from './body-figure.js';
import { type DeckFaults, parseNumber } from './deck-reader.js';
import type { DeckMaterials } from './read-materials.js';

/** The geometry of a deck, and which of the problem's zones is which of the deck's. */
export interface DeckGeometry extends Pick<TransportProblem, 'figures' | 'zones' | 'world'> {
  readonly title: string;
  /** Index of a zone by its number; `undefined` for one that is not there. */
  readonly findZone: (number: number) => number | undefined;
}

/** A zone as the file has it: signed body numbers of every term. */
interface FileZone {
  readonly line: number;
  readonly terms: readonly (readonly number[])[];
  readonly number: number;
  readonly medium: number;
}

const FIELD_WIDTH = 10;
const TABLE_WIDTH = 5;
const ZONE_FIELD_WIDTH = 7;
const BLACK_HOLE = 0;
/** Room around bodies where none of them is the world, cm. */
const MARGIN_CM = 1;
/** As many bodies as the built-in engine takes, and as many lines of zones as the converter's longest geometry has. */
const BODIES_MAX = 4096;
const ZONE_LINES_MAX = 20_000;

const NO_GEOMETRY: DeckGeometry = {
  figures: [],
  zones: [],
  world: { figure: 0, material: 0 },
  title: '',
  findZone: () => undefined,
};

/**
 * Reads `geo.dat`. The world is the body that holds all others; the black hole around it, which stops what leaves, is
 * left to the engine. Whatever is in no zone absorbs.
 */
export function readGeometry(text: string, materials: DeckMaterials, faults: DeckFaults): DeckGeometry {
  const lines = text.split(/\r?\n/).map((content, index) => ({ line: index + 1, content }));
  const told = lines.filter(({ content }) => !content.startsWith('*'));
  const ends = told.flatMap(({ content }, index) => (content.trim().toUpperCase() === 'END' ? [index] : []));
  const [bodiesEnd, zonesEnd] = ends;
  if (bodiesEnd === undefined || zonesEnd === undefined) {
    faults.refuse(GEOMETRY_FILE, undefined, 'must have bodies, END, zones, END and the table of materials');
    return NO_GEOMETRY;
  }
  const head = told.findIndex(({ content }) => content.trim() !== '');
  const bodies = readBodies(told.slice(head + 1, bodiesEnd), faults);
  if (bodies.length > BODIES_MAX || zonesEnd - bodiesEnd > ZONE_LINES_MAX) {
    const message = `must have at most ${BODIES_MAX} bodies and ${ZONE_LINES_MAX} lines of zones`;
    faults.refuse(GEOMETRY_FILE, undefined, message);
    return NO_GEOMETRY;
  }
  const table = told.slice(zonesEnd + 1).map(({ content }) => content);
  const zones = readZones(told.slice(bodiesEnd + 1, zonesEnd), table, faults);
  return { title: (told[head]?.content ?? '').slice(20).trim(), ...buildGeometry(bodies, zones, materials, faults) };
}

function readBodies(lines: readonly { line: number; content: string }[], faults: DeckFaults): FileBody[] {
  const bodies: { line: number; code: string; number: number; values: number[] }[] = [];
  for (const { line, content } of lines.filter((one) => one.content.trim() !== '')) {
    const code = content.slice(2, 5).trim().toUpperCase();
    const isContinuation = code === '';
    if (!isContinuation) bodies.push({ line, code, number: Number(content.slice(5, FIELD_WIDTH)), values: [] });
    const columns = cutFields(content.slice(FIELD_WIDTH), FIELD_WIDTH).map(parseNumber);
    // files written by hand are not always in columns
    const words = content
      .trim()
      .split(/\s+/)
      .slice(isContinuation ? 0 : 2)
      .map(parseNumber);
    const values = columns.every((value) => value !== undefined) ? columns : words;
    const numbers = values.filter((value) => value !== undefined);
    if (numbers.length < values.length)
      faults.refuse(GEOMETRY_FILE, line, 'must have numbers in fields of ten columns');
    bodies.at(-1)?.values.push(...numbers);
  }
  return bodies;
}

function readZones(
  lines: readonly { line: number; content: string }[],
  table: readonly string[],
  faults: DeckFaults,
): FileZone[] {
  const zones: { line: number; terms: number[][] }[] = [];
  for (const { line, content } of lines.filter((one) => one.content.trim() !== '')) {
    if (content.slice(0, FIELD_WIDTH).trim() !== '') zones.push({ line, terms: [] });
    const terms = zones.at(-1)?.terms ?? [];
    for (const field of cutFields(content.slice(FIELD_WIDTH), ZONE_FIELD_WIDTH)) {
      if (terms.length === 0 || field.slice(0, 2).toUpperCase() === 'OR') terms.push([]);
      const body = parseNumber(field.slice(2));
      if (body === undefined || body === 0)
        faults.refuse(GEOMETRY_FILE, line, 'must have fields of an operator and a body');
      else terms.at(-1)?.push(body);
    }
  }
  const numbers = table.flatMap((row) => cutFields(row, TABLE_WIDTH).map((field) => parseNumber(field) ?? Number.NaN));
  if (numbers.length !== 2 * zones.length || numbers.some(Number.isNaN)) {
    const message = `must end with the numbers of its ${zones.length} zones and as many materials`;
    faults.refuse(GEOMETRY_FILE, undefined, message);
  }
  return zones.map((zone, index) => ({
    ...zone,
    number: numbers[index] ?? index + 1,
    medium: numbers[zones.length + index] ?? BLACK_HOLE,
  }));
}

function cutFields(content: string, width: number): string[] {
  const fields: string[] = [];
  for (let first = 0; first < content.trimEnd().length; first += width)
    fields.push(content.slice(first, first + width));
  return fields;
}

function buildGeometry(
  fileBodies: readonly FileBody[],
  fileZones: readonly FileZone[],
  materials: DeckMaterials,
  faults: DeckFaults,
): Omit<DeckGeometry, 'title'> {
  const figures = fileBodies.map((body) => toFigure(body, faults));
  const indexes = new Map(fileBodies.map(({ number }, index) => [number, index]));
  for (const { line, terms } of fileZones) {
    for (const signed of terms.flat()) {
      if (!indexes.has(Math.abs(signed))) faults.refuse(GEOMETRY_FILE, line, `there is no body ${Math.abs(signed)}`);
    }
  }
  const indexOf = (signed: number): number => indexes.get(Math.abs(signed)) ?? 0;
  const { world, wrapper } = findWorld(figures, fileZones, indexOf);
  const all = world === undefined ? [...figures, boxAround(figures)] : figures;
  const worldIndex = world ?? figures.length;
  const kept = fileZones.filter((zone) => zone !== wrapper?.zone);
  const zones = kept.map(({ line, terms, number, medium }): Zone => {
    const material = materials.find(medium);
    if (material === undefined) faults.refuse(GEOMETRY_FILE, line, `there is no medium ${medium}`);
    return {
      name: `zone ${number}`,
      material: material ?? 0,
      terms: terms.map((term) => toTerm(term, indexOf, worldIndex)),
    };
  });
  const numbers = kept.map(({ number }) => number);
  return {
    figures: wrapper === undefined ? all : withoutFigure(all, wrapper.body),
    zones: wrapper === undefined ? zones : zones.map((zone) => shiftFigures(zone, wrapper.body)),
    world: { figure: shift(worldIndex, wrapper?.body), material: 0 },
    findZone: (number) => (numbers.includes(number) ? numbers.indexOf(number) : undefined),
  };
}

/** The body that holds all others is the world, or, if it is only the outside of a black hole, the body inside it. */
function findWorld(
  figures: readonly Figure[],
  zones: readonly FileZone[],
  indexOf: (signed: number) => number,
): { world?: number; wrapper?: { zone: FileZone; body: number } } {
  const { bodies } = listBodies(figures);
  const relations = createBodyRelations(bodies);
  const outermost = bodies.findIndex((_, outer) => bodies.every((_body, inner) => relations.contains(outer, inner)));
  if (outermost === -1) return {};
  const using = zones.filter(({ terms }) => terms.flat().some((signed) => indexOf(signed) === outermost));
  const [zone, ...others] = using;
  const [term, ...otherTerms] = zone?.terms ?? [];
  const [inside, outside, ...rest] = [...(term ?? [])].sort((one, other) => other - one);
  const isWrapper =
    zone?.medium === BLACK_HOLE && others.length + otherTerms.length + rest.length === 0 && inside !== undefined;
  if (!isWrapper || zone === undefined || outside === undefined || inside <= 0 || outside >= 0)
    return { world: outermost };
  const inner = indexOf(outside);
  const holdsAll = bodies.every((_, body) => body === outermost || relations.contains(inner, body));
  return holdsAll ? { world: inner, wrapper: { zone, body: outermost } } : { world: outermost };
}

/** Positives first: the engine reads a term from left to right. A term of negatives alone is inside the world. */
function toTerm(term: readonly number[], indexOf: (signed: number) => number, world: number): Zone['terms'][number] {
  const inside = term.filter((signed) => signed > 0).map(indexOf);
  const outside = term.filter((signed) => signed < 0).map(indexOf);
  const [first = world, ...others] = inside;
  return [
    { mode: 'union', figure: first },
    ...others.map((figure) => ({ mode: 'intersection' as const, figure })),
    ...outside.map((figure) => ({ mode: 'subtraction' as const, figure })),
  ];
}

function boxAround(figures: readonly Figure[]): Figure {
  const reach = figures.map(({ shape, centerCm }) => {
    const radius =
      shape.type === 'box'
        ? Math.hypot(...shape.sizeCm) / 2
        : shape.type === 'cylinder'
          ? Math.hypot(shape.radiusCm, shape.depthCm / 2)
          : shape.radiusCm;
    return Math.max(...centerCm.map(Math.abs)) + radius;
  });
  const size = 2 * (Math.max(0, ...reach) + MARGIN_CM);
  return {
    name: 'world',
    shape: { type: 'box', sizeCm: [size, size, size] },
    centerCm: [0, 0, 0],
    rotationDeg: [0, 0, 0],
  };
}

function withoutFigure(figures: readonly Figure[], removed: number): Figure[] {
  return figures.filter((_, index) => index !== removed);
}

function shiftFigures(zone: Zone, removed: number): Zone {
  const terms = zone.terms.map((term) => term.map(({ mode, figure }) => ({ mode, figure: shift(figure, removed) })));
  return { ...zone, terms };
}

function shift(figure: number, removed: number | undefined): number {
  return removed !== undefined && figure > removed ? figure - 1 : figure;
}
