import type { Detector, Vector } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Limits } from '../../deck/geometry/figure-limits.js';
import { type Quantity, SPECTRUM } from '../../project/scoring.js';
import { formatNumber } from './format-number.js';

type BinnedDetector = Exclude<Detector, { type: 'zone' }>;

/** Commands that open a mesh on a detector; one bin around the world stands for everywhere. */
export function createMesh(name: string, detector: BinnedDetector, worldLimitsCm: Limits): string[] {
  switch (detector.type) {
    case 'mesh':
      return createBox(name, detector.centerCm, detector.sizeCm, detector.segments);
    case 'all': {
      const [x, y, z] = worldLimitsCm;
      const middle = ([low, high]: readonly [number, number]): number => (low + high) / 2;
      const size = ([low, high]: readonly [number, number]): number => high - low;
      return createBox(name, [middle(x), middle(y), middle(z)], [size(x), size(y), size(z)], [1, 1, 1]);
    }
    case 'cylinder': {
      const { centerCm, radiusCm, depthCm, radialSegments, zSegments } = detector;
      return [
        `/score/create/cylinderMesh ${name}`,
        `/score/mesh/translate/xyz ${formatVector(centerCm)} cm`,
        `/score/mesh/cylinderSize ${formatNumber(radiusCm)} ${formatNumber(depthCm / 2)} cm`,
        `/score/mesh/nBin ${radialSegments} ${zSegments} 1`,
      ];
    }
  }
}

/** What opens the scorers of a zone: the volume's own name, and no mesh. */
export function createZoneScorer(volume: string): string[] {
  return [`/score/create/realWorldLogVol ${volume}`];
}

/**
 * What opens a probe, a cube, on the detector of a spectrum: by half the radius of a cylinder, or the largest side of a
 * box. Where the editor asks for the spectrum of a Geant4 project, that is how it is meant; a differential fluence is
 * refused unless the detector is such a cube itself.
 * @returns `undefined` after refusing it
 */
export function createProbe(
  detector: Detector,
  { name: called, keyword }: Quantity,
  path: string,
  report: ConversionReport,
): ((name: string) => string[]) | undefined {
  if (detector.type === 'zone' || detector.type === 'all') {
    report.refuse(path, 'a spectrum needs a mesh or cylinder detector');
    return undefined;
  }
  const halfSize = detector.type === 'cylinder' ? detector.radiusCm / 2 : Math.max(...detector.sizeCm) / 2;
  const isCube = detector.type === 'mesh' && detector.sizeCm.every((size) => size === 2 * halfSize);
  const isOneBin = detector.type === 'mesh' && detector.segments.every((count) => count === 1);
  if (!(isCube && isOneBin)) {
    const side = formatNumber(2 * halfSize);
    if (keyword === SPECTRUM) {
      report.warn(
        'SPECTRUM_IN_PROBE',
        `"${called}" is scored in a cube of ${side} cm around the middle of "${detector.name}"`,
      );
    } else {
      report.refuse(`${path}/modifiers`, 'a differential fluence needs a detector that is a cube of one bin');
    }
  }
  return (name) => [
    `/score/create/probe ${name} ${formatNumber(halfSize)} cm`,
    `/score/probe/locate ${formatVector(detector.centerCm)} cm`,
  ];
}

function createBox(name: string, center: Vector, size: Vector, bins: Vector): string[] {
  return [
    `/score/create/boxMesh ${name}`,
    `/score/mesh/translate/xyz ${formatVector(center)} cm`,
    `/score/mesh/boxSize ${formatVector([size[0] / 2, size[1] / 2, size[2] / 2])} cm`,
    `/score/mesh/nBin ${bins.join(' ')}`,
  ];
}

function formatVector(vector: Vector): string {
  return vector.map(formatNumber).join(' ');
}
