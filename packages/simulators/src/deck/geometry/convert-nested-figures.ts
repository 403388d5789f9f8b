import type { Figure as EngineFigure, Zone as EngineZone } from '@tally/engine';
import type { Figure } from '../../project/figure.js';
import type { Project } from '../../project/project.js';
import type { ConversionReport } from '../conversion-report.js';
import type { MaterialTable } from '../material-table.js';
import { convertFigure } from './convert-figure.js';
import type { ConvertedGeometry } from './converted-geometry.js';
import { apply, IDENTITY, type Matrix, multiply, rotationAngles, rotationMatrix } from './rotation.js';

/** Where a figure's own coordinates lie in those of the world. */
interface Frame {
  readonly origin: readonly [number, number, number];
  readonly rotation: Matrix;
}

const WORLD_FRAME: Frame = { origin: [0, 0, 0], rotation: IDENTITY };

/**
 * The tree of figures of a Geant4 project. The first figure is the world; every other one is a zone of its own, placed
 * relative to its parent, of which it cuts out its space: the deepest figures come first, and earlier zones win.
 */
export function convertNestedFigures(
  project: Project,
  materials: MaterialTable,
  report: ConversionReport,
): ConvertedGeometry | undefined {
  const [world, ...others] = project.figureManager.figures;
  if (world === undefined) {
    report.refuse('/figureManager/figures', 'must have a figure: the first one is the world');
    return undefined;
  }
  for (const [index, figure] of others.entries()) {
    report.refuse(
      `/figureManager/figures/${index + 1}`,
      `figure "${figure.name}" must be inside the first one, the world`,
    );
  }
  const figures: EngineFigure[] = [];
  const zones: EngineZone[] = [];

  const placeFigure = (figure: Figure, parent: Frame, path: string): Frame => {
    const frame = enterFrame(figure, parent);
    report.trace(`/figures/${figures.length}`, path);
    figures.push({
      ...convertFigure(figure.name, figure.geometryData),
      centerCm: frame.origin,
      rotationDeg: rotationAngles(frame.rotation),
    });
    return frame;
  };
  const placeMaterial = ({ name, simulationMaterial }: Figure, path: string): number => {
    if (simulationMaterial === undefined) {
      report.warn('MATERIAL_MISSING', `figure "${name}" has no material: it is vacuum`);
    }
    return materials.placeSimulationMaterial(simulationMaterial, path);
  };
  const placeChildren = (parent: Figure, frame: Frame, parentPath: string): void => {
    for (const [index, child] of parent.children.entries()) {
      const path = `${parentPath}/children/${index}`;
      const figureIndex = figures.length;
      placeChildren(child, placeFigure(child, frame, path), path);
      report.trace(`/zones/${zones.length}`, path);
      const material = placeMaterial(child, path);
      zones.push({ name: child.name, material, terms: [[{ mode: 'union', figure: figureIndex }]] });
    }
  };

  const worldPath = '/figureManager/figures/0';
  placeChildren(world, placeFigure(world, WORLD_FRAME, worldPath), worldPath);
  report.trace('/world', worldPath);
  return {
    figures,
    zones,
    world: { figure: 0, material: placeMaterial(world, worldPath) },
    zoneIndexes: new Map(),
  };
}

function enterFrame(figure: Figure, parent: Frame): Frame {
  const offset = apply(parent.rotation, figure.geometryData.position);
  return {
    origin: [parent.origin[0] + offset[0], parent.origin[1] + offset[1], parent.origin[2] + offset[2]],
    rotation: multiply(parent.rotation, rotationMatrix(figure.geometryData.rotation)),
  };
}
