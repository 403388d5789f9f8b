import type { Detector } from '@tally/engine';
import type { SourceAxis } from '../../driver.js';
import type { Modifier } from '../../project/scoring.js';

/** Units of the editor's differential axes; the others (Z, Zeff, Z2Beta2 …) are numbers. */
const DIFFERENTIAL_UNITS: Readonly<Record<string, string>> = {
  ANGLE: 'deg',
  DEDX: 'MeV/cm',
  E: 'MeV',
  EAMU: 'MeV/amu',
  ENUC: 'MeV/nucl',
  MDEDX: 'MeV cm^2/g',
  TL: 'cm',
};

/** Unit of a differential axis; `1` for a number. */
export function unitOfDifferential(diffType: string): string {
  return DIFFERENTIAL_UNITS[diffType] ?? '1';
}

/** Axes of a page: x, y, z of a mesh, r, phi and z of a cylinder, none of zones and everywhere; then the differential ones. */
export function describeAxes(detector: Detector, modifiers: readonly Modifier[]): SourceAxis[] {
  return [...spatialAxes(detector), ...modifiers.map(differentialAxis)];
}

function spatialAxes(detector: Detector): SourceAxis[] {
  switch (detector.type) {
    case 'mesh':
      return (['x', 'y', 'z'] as const).map((name, axis) =>
        centredAxis(name, detector.centerCm[axis] ?? 0, detector.sizeCm[axis] ?? 0, detector.segments[axis] ?? 1),
      );
    case 'cylinder': {
      const { innerRadiusCm: lower, radiusCm: upper, radialSegments: bins } = detector;
      return [
        { name: 'r', unit: 'cm', lower, upper, bins, isLog: false },
        { name: 'phi', unit: 'deg', lower: 0, upper: 360, bins: 1, isLog: false },
        centredAxis('z', detector.centerCm[2], detector.depthCm, detector.zSegments),
      ];
    }
    case 'zone':
    case 'all':
      return [];
  }
}

function centredAxis(name: string, center: number, size: number, bins: number): SourceAxis {
  return { name, unit: 'cm', lower: center - size / 2, upper: center + size / 2, bins, isLog: false };
}

function differentialAxis({ diffType, lowerLimit, upperLimit, binsNumber, isLog }: Modifier): SourceAxis {
  const unit = unitOfDifferential(diffType);
  return { name: diffType, unit, lower: lowerLimit, upper: upperLimit, bins: binsNumber, isLog };
}
