import type { Figure as EngineFigure, FigureShape } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { BodyTerm } from '../../deck/geometry/body-term.js';
import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';

import { findWorldLimits } from '../../deck/geometry/figure-limits.js';
import { IDENTITY, rotationMatrix } from '../../deck/geometry/rotation.js';
import type { BodyGeometry } from '../../deck/geometry/zone-terms.js';
import type { Project } from '../../project/project.js';
import { convertFigureTree } from './convert-figure-tree.js';
import { type Frame, relativeFrame, type SolidExpression, type VolumeTree } from './volume-tree.js';

/** How far the box around a world that is not in the middle reaches beyond it, cm. */
const MARGIN_CM = 1;
const ORIGIN: Frame = { origin: [0, 0, 0], rotation: IDENTITY };

/**
 * The project's volumes: the world with every zone inside it, and nothing twice, since zones have no common points. The
 * figures of a Geant4 project keep their tree where it is sound; where figures stick out of their parents or overlap,
 * which Geant4 does not allow, they are zones like any others. Geant4's world stands upright in the middle: any other is
 * put into a box of vacuum.
 */
export function convertGeometry(
  project: Project,
  geometry: ConvertedGeometry,
  resolved: BodyGeometry,
  report: ConversionReport,
): VolumeTree {
  const tree = project.project.simulator === 'geant4' ? convertFigureTree(project, geometry, resolved) : undefined;
  const world = tree ?? zonesInWorld(geometry, resolved, report);
  const figure = geometry.figures[geometry.world.figure];
  if (figure === undefined || !isDisplaced(figure)) return world;
  if (figure.shape.type === 'cylinder' && figure.shape.innerRadiusCm > 0) {
    report.refuse(report.originOf('/world'), 'must not be hollow unless it stands upright in the middle');
  }
  const sizes = findWorldLimits(geometry).map(([low, high]) => 2 * (Math.max(-low, high) + MARGIN_CM));
  const [x = 0, y = 0, z = 0] = sizes;
  const box: SolidExpression = {
    type: 'figure',
    name: 'surroundings',
    shape: { type: 'box', sizeCm: [x, y, z] },
    frame: ORIGIN,
  };
  return { name: 'surroundings', solid: box, daughters: [world] };
}

/** Whether the world is anywhere but upright in the middle. */
export function isDisplaced({ centerCm, rotationDeg }: EngineFigure): boolean {
  return [...centerCm, ...rotationDeg].some((value) => value !== 0);
}

export function frameOf({ centerCm, rotationDeg }: EngineFigure): Frame {
  return { origin: centerCm, rotation: rotationMatrix(rotationDeg) };
}

function zonesInWorld(geometry: ConvertedGeometry, resolved: BodyGeometry, report: ConversionReport): VolumeTree {
  const figure = geometry.figures[geometry.world.figure];
  if (figure === undefined) throw new Error('a geometry has a world');
  const around = frameOf(figure);
  const solids = listSolids(geometry, resolved, around);
  const daughters = resolved.zones.flatMap((terms, zone): VolumeTree[] => {
    const { name = '', material = 0 } = geometry.zones[zone] ?? {};
    const [first, ...others] = terms.map((term) => solidOfTerm(term, solids));
    if (first === undefined) {
      report.warn('ZONE_COVERED', `zone "${name}" has no space of its own and is left out`);
      return [];
    }
    const solid = others.reduce((all, other): SolidExpression => ({ type: 'union', first: all, second: other }), first);
    return [{ name: name === '' ? `zone ${zone + 1}` : name, material, solid, daughters: [], zone }];
  });
  const solid: SolidExpression = { type: 'figure', name: figure.name, shape: figure.shape, frame: around };
  const { material } = geometry.world;
  return { name: figure.name, material, solid, daughters, zone: resolved.zones.length };
}

/** What a body is as a solid, and which body is its hole. */
interface BodySolid {
  readonly solid: SolidExpression;
  readonly hole?: { readonly body: number; readonly tube: SolidExpression };
}

function listSolids(geometry: ConvertedGeometry, { bodies, figureBodies }: BodyGeometry, around: Frame): BodySolid[] {
  const solids = bodies.map(({ name, isHole, shape: body, centerCm, rotationDeg }): BodySolid => {
    const shape: FigureShape = body.type === 'cylinder' ? { ...body, innerRadiusCm: 0 } : body;
    const frame = relativeFrame({ origin: centerCm, rotation: rotationMatrix(rotationDeg) }, around);
    return { solid: { type: 'figure', name: isHole ? `${name} hole` : name, shape, frame } };
  });
  for (const [index, { outer, hole }] of figureBodies.entries()) {
    const [figure, known] = [geometry.figures[index], solids[outer]];
    if (hole === undefined || figure === undefined || known === undefined) continue;
    const frame = relativeFrame(frameOf(figure), around);
    const tube: SolidExpression = { type: 'figure', name: figure.name, shape: figure.shape, frame };
    solids[outer] = { ...known, hole: { body: hole, tube } };
  }
  return solids;
}

/** Inside all, outside all others; a cylinder less its own hole is a tube, whose ends then are no two faces in one. */
function solidOfTerm({ inside, outside }: BodyTerm, solids: readonly BodySolid[]): SolidExpression {
  const holes = new Set<number>();
  const parts = inside.map((body): SolidExpression => {
    const known = solids[body];
    if (known === undefined) throw new Error(`no body ${body}`);
    if (known.hole === undefined || !outside.includes(known.hole.body)) return known.solid;
    holes.add(known.hole.body);
    return known.hole.tube;
  });
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a term is inside something');
  const common = others.reduce(
    (all, other): SolidExpression => ({ type: 'intersection', first: all, second: other }),
    first,
  );
  return outside
    .filter((body) => !holes.has(body))
    .reduce((all, body): SolidExpression => {
      const second = solids[body]?.solid;
      return second === undefined ? all : { type: 'subtraction', first: all, second };
    }, common);
}
