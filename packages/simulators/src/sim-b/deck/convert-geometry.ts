import type { Vector } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { type Body, enlargeBody } from '../../deck/geometry/body.js';
import type { BodyTerm } from '../../deck/geometry/body-term.js';
import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';
import type { BodyGeometry } from '../../deck/geometry/zone-terms.js';
import { formatSigned } from '../../deck/number-format.js';

/** How far the black hole around everything reaches beyond it, cm. */
const MARGIN_CM = 10;
const NUMBER_WIDTH = 16;
/** The simulator reads lines of 132 characters. */
const LINE_LENGTH_MAX = 120;
/** Regions that can be entered from one: memory that the simulator reserves, not a limit. */
const NEIGHBOURS = 5;
const INDENT = ' '.repeat(14);
const WORLD = 'world';
const WORLD_BODY = 'figworld';
const WORLD_HOLE = 'holworld';
const BOUNDARY_BODY = 'figbound';
/** Region of the black hole around everything. */
export const BOUNDARY = 'boundary';

/** Bodies and regions between `GEOBEGIN` and `GEOEND`, and which material fills each region. */
export interface ConvertedRegions {
  readonly bodyLines: readonly string[];
  readonly regionLines: readonly string[];
  /** Region names with indices into the table of materials; {@link BOUNDARY}, a black hole, is not among them. */
  readonly assignments: readonly { readonly region: string; readonly material: number }[];
  /** Name of the region of a zone by its index, the world zone last; `undefined` of zones that are nowhere. */
  readonly regionNames: readonly (string | undefined)[];
}

/**
 * Bodies `fig<i>` in the project's order (`hole<i>`: what a hollow cylinder lacks), `figworld`, `figbound`; boxes along the
 * axes as `RPP`, turned ones as `BOX`. Regions `region<i>` by the project's zones, without common points, `world` outside
 * all of them, `boundary` the black hole around and in the world's own hole.
 */
export function convertRegions(
  geometry: ConvertedGeometry,
  resolved: BodyGeometry,
  report: ConversionReport,
): ConvertedRegions {
  const bodyNames = nameBodies(geometry, resolved);
  const world = resolved.figureBodies[geometry.world.figure];
  const worldBody = resolved.bodies[world?.outer ?? 0];
  if (worldBody === undefined) throw new Error('a geometry has a world');
  const regions: { name: string; terms: string[][]; material: number }[] = [];
  const regionNames = resolved.zones.map((terms, index): string | undefined => {
    if (terms.length === 0) {
      const name = geometry.zones[index]?.name ?? '';
      report.warn('ZONE_COVERED', `zone "${name}" has no space of its own and is left out`);
      return undefined;
    }
    const name = nameRegion(index);
    regions.push({ name, terms: writeTerms(terms, bodyNames), material: geometry.zones[index]?.material ?? 0 });
    return name;
  });
  if (resolved.world.length > 0) {
    regions.push({ name: WORLD, terms: writeTerms(resolved.world, bodyNames), material: geometry.world.material });
  }
  const boundary = [
    [`+${BOUNDARY_BODY}`, `-${WORLD_BODY}`],
    ...(world?.hole === undefined ? [] : [[`+${WORLD_HOLE}`]]),
  ];
  return {
    bodyLines: [
      ...resolved.bodies.flatMap((body, index) => writeBody(bodyNames[index] ?? '', body)),
      ...writeBody(BOUNDARY_BODY, enlargeBody(worldBody, MARGIN_CM)),
    ],
    regionLines: [
      ...regions.flatMap(({ name, terms }) => writeRegion(name, terms)),
      ...writeRegion(BOUNDARY, boundary),
    ],
    assignments: regions.map(({ name: region, material }) => ({ region, material })),
    regionNames: [...regionNames, resolved.world.length > 0 ? WORLD : undefined],
  };
}

/** Names have eight characters at most. */
function nameRegion(index: number): string {
  return index < 100 ? `region${index}` : `reg${index}`;
}

function nameBodies(geometry: ConvertedGeometry, { bodies, figureBodies }: BodyGeometry): string[] {
  const names = bodies.map(() => '');
  for (const [index, { outer, hole }] of figureBodies.entries()) {
    const isWorld = index === geometry.world.figure;
    names[outer] = isWorld ? WORLD_BODY : `fig${index}`;
    if (hole !== undefined) names[hole] = isWorld ? WORLD_HOLE : `hole${index}`;
  }
  return names;
}

function writeTerms(terms: readonly BodyTerm[], names: readonly string[]): string[][] {
  return terms.map(({ inside, outside }) => [
    ...inside.map((body) => `+${names[body] ?? ''}`),
    ...outside.map((body) => `-${names[body] ?? ''}`),
  ]);
}

/** A bar stands before every term of a union, and nowhere else. */
function writeRegion(name: string, terms: readonly (readonly string[])[]): string[] {
  const words = terms.length === 1 ? terms.flat() : terms.flatMap((term) => ['|', ...term]);
  const lines: string[] = [];
  let line = `${name} ${NEIGHBOURS}`;
  for (const word of words) {
    if (line.length + 1 + word.length > LINE_LENGTH_MAX) {
      lines.push(line);
      line = INDENT;
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

function writeBody(name: string, body: Body): string[] {
  const [numbers, code, perLine] = describeBody(body);
  const texts = numbers.map((number) => formatSigned(number, NUMBER_WIDTH));
  const lines = perLine.map((count, index) => {
    const first = perLine.slice(0, index).reduce((sum, some) => sum + some, 0);
    return texts.slice(first, first + count).join(' ');
  });
  const comment = `${body.name}${body.isHole ? ' (hole)' : ''}`.replaceAll(/[^\x20-\x7E]/g, '_');
  return [`* ${comment}`.trimEnd().slice(0, LINE_LENGTH_MAX), `${code} ${name} ${lines[0] ?? ''}`, ...lines.slice(1)];
}

/** Numbers of a body, its code, and how many numbers go on each line. */
function describeBody({ shape, centerCm: center, axes, rotationDeg }: Body): [number[], string, number[]] {
  switch (shape.type) {
    case 'box': {
      const edges = axes.map((axis, index) => scale(axis, shape.sizeCm[index] ?? 0));
      if (rotationDeg.every((angle) => angle === 0)) {
        const limits = center.flatMap((middle, axis) => {
          const half = (shape.sizeCm[axis] ?? 0) / 2;
          return [middle - half, middle + half];
        });
        return [limits, 'RPP', [6]];
      }
      const corner = center.map((middle, axis) => middle - edges.reduce((sum, edge) => sum + (edge[axis] ?? 0), 0) / 2);
      return [[...corner, ...edges.flat()], 'BOX', [6, 6]];
    }
    case 'cylinder': {
      const height = scale(axes[2], shape.depthCm);
      const base = center.map((middle, axis) => middle - (height[axis] ?? 0) / 2);
      return [[...base, ...height, shape.radiusCm], 'RCC', [5, 2]];
    }
    case 'sphere':
      return [[...center, shape.radiusCm], 'SPH', [4]];
  }
}

function scale(vector: Vector, factor: number): number[] {
  return vector.map((component) => component * factor);
}
