import { convertFigure } from '../../deck/geometry/convert-figure.js';
import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';

import { rotationMatrix } from '../../deck/geometry/rotation.js';
import type { BodyGeometry } from '../../deck/geometry/zone-terms.js';
import type { Figure } from '../../project/figure.js';
import type { Project } from '../../project/project.js';
import type { VolumeTree } from './volume-tree.js';

/**
 * The figures of a Geant4 project as they are nested, each placed in its parent.
 * @param geometry the same figures as a list, parents first, and as zones, the deepest first
 * @returns `undefined` unless every figure surely lies inside its parent and apart from its siblings
 */
export function convertFigureTree(
  project: Project,
  geometry: ConvertedGeometry,
  resolved: BodyGeometry,
): VolumeTree | undefined {
  const [world] = project.figureManager.figures;
  if (world === undefined) return undefined;
  let figureCount = 0;
  let zoneCount = 0;
  let isSound = true;

  const convert = (figure: Figure, isWorld: boolean): { readonly volume: VolumeTree; readonly index: number } => {
    const index = figureCount;
    figureCount += 1;
    const children = figure.children.map((child) => convert(child, false));
    const indexes = children.map((child) => child.index);
    isSound &&= indexes.every((child) => isInside(child, index, resolved)) && areAllApart(indexes, resolved);
    const material = isWorld ? geometry.world.material : geometry.zones[zoneCount]?.material;
    if (!isWorld) zoneCount += 1;
    const { name, shape, centerCm, rotationDeg } = convertFigure(figure.name, figure.geometryData);
    const frame = { origin: centerCm, rotation: rotationMatrix(rotationDeg) };
    const daughters = children.map((child) => child.volume);
    const called = name === '' ? `figure ${index + 1}` : name;
    const solid = { type: 'figure', name: called, shape, frame } as const;
    return { volume: { name: called, solid, daughters, ...(material === undefined ? {} : { material }) }, index };
  };

  const { volume } = convert(world, true);
  return isSound ? volume : undefined;
}

function isInside(child: number, parent: number, { figureBodies, relations }: BodyGeometry): boolean {
  const [inner, outer] = [figureBodies[child], figureBodies[parent]];
  if (inner === undefined || outer === undefined) return false;
  const isClearOfHole = outer.hole === undefined || relations.areApart(outer.hole, inner.outer);
  return relations.contains(outer.outer, inner.outer) && isClearOfHole;
}

function areAllApart(figures: readonly number[], { figureBodies, relations }: BodyGeometry): boolean {
  const bodies = figures.flatMap((figure) => figureBodies[figure]?.outer ?? []);
  return bodies.every((body, index) => bodies.slice(index + 1).every((other) => relations.areApart(body, other)));
}
