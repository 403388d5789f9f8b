import type { Vector } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { type Body, enlargeBody } from '../../deck/geometry/body.js';
import { createBodyRelations } from '../../deck/geometry/body-relations.js';
import { type BodyTerm, insideOf, subtractTerms } from '../../deck/geometry/body-term.js';
import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';
import type { BodyGeometry } from '../../deck/geometry/zone-terms.js';
import { formatFit, NumberTooWideError } from '../../deck/number-format.js';
import type { ConvertedMaterials } from './convert-materials.js';

/** How far the black hole reaches beyond the world, cm. */
const WRAPPER_CM = 1;
const BLACK_HOLE = 0;
const VALUE_WIDTH = 10;
const NUMBER_WIDTH = 5;
/** Fields of seven columns, operator and body, on a line of a zone. */
const FIELDS_PER_LINE = 9;
const NUMBERS_PER_ROW = 14;
const TITLE_LENGTH_MAX = 60;
const DEFAULT_TITLE = 'Tally';

/** A zone as it stands in the file. */
interface GeometryZone {
  readonly terms: readonly BodyTerm[];
  readonly material: number;
}

export interface GeometryInput {
  readonly title: string;
  readonly geometry: ConvertedGeometry;
  readonly resolved: BodyGeometry;
  readonly materials: ConvertedMaterials;
}

/**
 * `geo.dat`, fixed columns. Every zone is without what earlier ones take, so that no point is in two; the world is one
 * zone with `OR` between its terms, and long zones go on over lines of nine fields. A hollow cylinder is two bodies.
 * The reference converter ignores hollows, writes one line however long, and a zone for every term of the world.
 */
export function convertGeometry(input: GeometryInput, report: ConversionReport): string {
  const { bodies, zones } = wrapWorld(input);
  const numbers = zones.map((_, index) => index + 1);
  return [
    '',
    `${'0'.padStart(NUMBER_WIDTH)}${'0'.padStart(NUMBER_WIDTH)}${' '.repeat(10)}${cleanTitle(input.title)}`,
    ...bodies.flatMap((body, index) => bodyLines(body, index, input, report)),
    '  END',
    ...zones.flatMap(({ terms }, index) => zoneLines(index + 1, terms)),
    '  END',
    ...numberRows(numbers),
    ...numberRows(zones.map(({ material }) => material)),
    '',
  ].join('\n');
}

/**
 * The zones of the project, the world's, and a black hole around the world: also where the world is one itself, which may
 * have no space left, or not all around.
 */
function wrapWorld({ geometry, resolved, materials }: GeometryInput): { bodies: Body[]; zones: GeometryZone[] } {
  const { zones, world, worldFigure } = resolved;
  const worldMaterial = materials.numberOf(geometry.world.material);
  const inside = [
    ...geometry.zones.map(({ material }, index) => ({
      terms: zones[index] ?? [],
      material: materials.numberOf(material),
    })),
    { terms: world, material: worldMaterial },
  ].filter(({ terms }) => terms.length > 0);
  const outer = resolved.bodies[resolved.figureBodies[geometry.world.figure]?.outer ?? 0];
  if (outer === undefined) return { bodies: [...resolved.bodies], zones: inside };
  const bodies = [...resolved.bodies, { ...enlargeBody(outer, WRAPPER_CM), name: 'black hole around the world' }];
  const terms = subtractTerms([insideOf(bodies.length - 1)], worldFigure, createBodyRelations(bodies));
  return { bodies, zones: [...inside, { terms, material: BLACK_HOLE }] };
}

function bodyLines(body: Body, index: number, input: GeometryInput, report: ConversionReport): string[] {
  const { code, values } = describeBody(body);
  try {
    const fields = values.map((value) => formatFit(value, VALUE_WIDTH).padStart(VALUE_WIDTH));
    const head = `  ${code} ${String(index + 1).padStart(4)}`;
    const title = `* ${cleanTitle(body.name)}${body.isHole ? ' (hole)' : ''}`;
    const continuation = fields.length > 6 ? [' '.repeat(10) + fields.slice(6).join('')] : [];
    return [title, head + fields.slice(0, 6).join(''), ...continuation];
  } catch (err) {
    if (!(err instanceof NumberTooWideError)) throw err;
    const figure = input.resolved.figureBodies.findIndex(({ outer, hole }) => outer === index || hole === index);
    report.refuse(report.originOf(figure === -1 ? '/world' : `/figures/${figure}`), err.message);
    return [];
  }
}

/** Corner and edges of a box, base, height and radius of a cylinder, centre and radius of a sphere. */
function describeBody({ shape, centerCm, axes }: Body): { code: string; values: number[] } {
  const [x, y, z] = axes;
  switch (shape.type) {
    case 'box': {
      const edges = [scale(x, shape.sizeCm[0]), scale(y, shape.sizeCm[1]), scale(z, shape.sizeCm[2])];
      const corner = edges.reduce((point, edge) => add(point, scale(edge, -0.5)), centerCm);
      return { code: 'BOX', values: [corner, ...edges].flat() };
    }
    case 'cylinder': {
      const height = scale(z, shape.depthCm);
      return { code: 'RCC', values: [...add(centerCm, scale(height, -0.5)), ...height, shape.radiusCm] };
    }
    case 'sphere':
      return { code: 'SPH', values: [...centerCm, shape.radiusCm] };
  }
}

/** Head of ten columns with the number, then fields: `OR` or two blanks, and a signed body number in five columns. */
function zoneLines(number: number, terms: readonly BodyTerm[]): string[] {
  const fields = terms.flatMap((term, termIndex) =>
    signedBodies(term).map((body, index) => (termIndex > 0 && index === 0 ? 'OR' : '  ') + body),
  );
  const lines: string[] = [];
  for (let first = 0; first < fields.length; first += FIELDS_PER_LINE) {
    const head = first === 0 ? `  ${String(number).padStart(3, '0')}` : '';
    lines.push(head.padEnd(10) + fields.slice(first, first + FIELDS_PER_LINE).join(''));
  }
  return lines;
}

function signedBodies({ inside, outside }: BodyTerm): string[] {
  const signed = (sign: string, body: number): string => `${sign}${body + 1}`.padStart(NUMBER_WIDTH);
  return [...inside.map((body) => signed('+', body)), ...outside.map((body) => signed('-', body))];
}

function numberRows(numbers: readonly number[]): string[] {
  const rows: string[] = [];
  for (let first = 0; first < numbers.length; first += NUMBERS_PER_ROW) {
    const row = numbers.slice(first, first + NUMBERS_PER_ROW);
    rows.push(row.map((number) => String(number).padStart(NUMBER_WIDTH)).join(''));
  }
  return rows;
}

/** One short line of printable ASCII. */
function cleanTitle(title: string): string {
  const clean = title
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, TITLE_LENGTH_MAX);
  return clean === '' ? DEFAULT_TITLE : clean;
}

function scale(vector: Vector, factor: number): Vector {
  return [vector[0] * factor, vector[1] * factor, vector[2] * factor];
}

function add(one: Vector, other: Vector): Vector {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
}
