import { BLACK_HOLE_ICRU, type Figure, VACUUM_ICRU, type Zone } from '@tally/engine';
import type { ConversionReport } from '../conversion-report.js';
import { densityOf, GAS_DENSITY_MAX } from '../material-density.js';
import type { DeckMaterial } from '../material-table.js';
import { listBodies } from './body.js';
import { createBodyRelations } from './body-relations.js';
import type { ConvertedGeometry } from './converted-geometry.js';
import { findFigureLimits, type Limits } from './figure-limits.js';

/**
 * A geometry whose world holds all zones. A world of vacuum, gas or black hole becomes the box around itself and the zones that reach
 * beyond it, since more of it is what was meant; a denser or hollow one is refused, since more of it would be another experiment.
 */
export function extendWorld(
  geometry: ConvertedGeometry,
  materials: readonly DeckMaterial[],
  report: ConversionReport,
): ConvertedGeometry {
  const outside = findZonesOutside(geometry);
  const { figures, world } = geometry;
  const figure = figures[world.figure];
  if (outside.length === 0 || figure === undefined) return geometry;
  const medium = materials[world.material];
  const names = outside.map(({ name }) => `"${name}"`).join(', ');
  const isHollow = figure.shape.type === 'cylinder' && figure.shape.innerRadiusCm > 0;
  if (medium === undefined || isHollow || !isThin(medium)) {
    const path = report.originOf(`/figures/${world.figure}`);
    const what = isHollow ? 'the hollow world' : `the world of "${medium?.name}"`;
    report.refuse(path, `zones reach beyond ${what}, which cannot be extended: ${names}; make it larger`);
    return geometry;
  }
  const around = [figure, ...outside.flatMap(({ terms }) => figuresOf(terms, figures))].map(findFigureLimits);
  report.warn('WORLD_EXTENDED', `the world of "${medium.name}" is extended to hold all of zones ${names}`);
  return {
    ...geometry,
    figures: figures.map((one, index) => (index === world.figure ? boxAround(figure.name, around) : one)),
  };
}

function isThin(material: DeckMaterial): boolean {
  const { icru } = material;
  if (icru === VACUUM_ICRU || icru === BLACK_HOLE_ICRU) return true;
  return (densityOf(material) ?? Number.POSITIVE_INFINITY) <= GAS_DENSITY_MAX;
}

/** Zones that are not surely inside the world's figure. */
function findZonesOutside({ figures, zones, world }: ConvertedGeometry): readonly Zone[] {
  const { bodies, figureBodies } = listBodies(figures);
  const relations = createBodyRelations(bodies);
  const around = figureBodies[world.figure];
  if (around === undefined) return [];
  const isInside = figureBodies.map(
    ({ outer }) =>
      relations.contains(around.outer, outer) && (around.hole === undefined || relations.areApart(around.hole, outer)),
  );
  return zones.filter(({ terms }) => !terms.every((term) => staysInside(term, isInside)));
}

/** A term is evaluated left to right; what is taken away from it is taken for nothing. */
function staysInside(operations: Zone['terms'][number], isInside: readonly boolean[]): boolean {
  return operations.reduce((stays, { mode, figure }, index) => {
    const operand = isInside[figure] ?? false;
    if (index === 0 || mode === 'reverse-subtraction') return operand;
    if (mode === 'intersection') return stays || operand;
    return mode === 'union' ? stays && operand : stays;
  }, false);
}

/** The figures that a zone may have space in. */
function figuresOf(terms: Zone['terms'], figures: readonly Figure[]): Figure[] {
  return terms.flatMap((term) =>
    term
      .filter(({ mode }, index) => index === 0 || mode !== 'subtraction')
      .flatMap(({ figure }) => figures[figure] ?? []),
  );
}

function boxAround(name: string, limits: readonly Limits[]): Figure {
  const edges = ([0, 1, 2] as const).map((axis) => ({
    low: Math.min(...limits.map((limit) => limit[axis][0])),
    high: Math.max(...limits.map((limit) => limit[axis][1])),
  }));
  const [x = NOTHING, y = NOTHING, z = NOTHING] = edges;
  return {
    name,
    shape: { type: 'box', sizeCm: [x.high - x.low, y.high - y.low, z.high - z.low] },
    centerCm: [(x.high + x.low) / 2, (y.high + y.low) / 2, (z.high + z.low) / 2],
    rotationDeg: [0, 0, 0],
  };
}

const NOTHING = { low: 0, high: 0 };
