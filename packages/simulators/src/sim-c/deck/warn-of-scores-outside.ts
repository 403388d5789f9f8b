import type { Detector, Figure } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { listBodies } from '../../deck/geometry/body.js';
import { createBodyRelations } from '../../deck/geometry/body-relations.js';
import type { ScoredOutput } from '../../deck/scoring/list-outputs.js';

/**
 * Around a world that is put into a box of vacuum, fluence is scored although nothing is there in the project: bins that
 * reach beyond the world are named.
 */
export function warnOfScoresOutside(
  outputs: readonly ScoredOutput[],
  detectors: readonly Detector[],
  world: Figure,
  report: ConversionReport,
): void {
  for (const { name, detector: index, quantities } of outputs) {
    const detector = detectors[index];
    const hasFluence = quantities.some(({ quantity }) => quantity.keyword === 'Fluence');
    if (detector === undefined || !hasFluence || isSurelyInside(detector, world)) continue;
    report.warn('FLUENCE_OUTSIDE_WORLD', `"${name}" reaches beyond the world: there it shows what flies on in vacuum`);
  }
}

function isSurelyInside(detector: Detector, world: Figure): boolean {
  if (detector.type === 'zone') return true;
  if (detector.type === 'all') return world.shape.type === 'box' && world.rotationDeg.every((angle) => angle === 0);
  const { bodies } = listBodies([{ ...world, shape: solid(world.shape) }, toFigure(detector)]);
  return createBodyRelations(bodies).contains(0, 1);
}

function solid(shape: Figure['shape']): Figure['shape'] {
  return shape.type === 'cylinder' ? { ...shape, innerRadiusCm: 0 } : shape;
}

function toFigure(detector: Extract<Detector, { type: 'mesh' | 'cylinder' }>): Figure {
  const { name, centerCm } = detector;
  const shape: Figure['shape'] =
    detector.type === 'mesh'
      ? { type: 'box', sizeCm: detector.sizeCm }
      : { type: 'cylinder', innerRadiusCm: 0, radiusCm: detector.radiusCm, depthCm: detector.depthCm };
  return { name, centerCm, rotationDeg: [0, 0, 0], shape };
}
