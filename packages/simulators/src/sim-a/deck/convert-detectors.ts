import type { Detector, Vector } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { formatShort } from '../../deck/number-format.js';
import type { ZoneNumbers } from './zone-numbers.js';

/** A block of `detect.dat`: its kind and the lines under it. */
export function block(kind: string, lines: readonly string[]): string {
  return [kind, ...lines.map((text) => `    ${text}`), ''].join('\n');
}

/**
 * A `Geometry` block. Limits have full precision. A cylinder stands on the z axis of the simulator: one beside it is
 * refused, where the reference converter moves it.
 */
export function convertDetector(
  detector: Detector,
  name: string,
  zones: ZoneNumbers,
  path: string,
  report: ConversionReport,
): string {
  switch (detector.type) {
    case 'mesh':
      return block('Geometry Mesh', [
        `Name ${name}`,
        ...(['X', 'Y', 'Z'] as const).map((axis, index) =>
          centredLine(axis, detector.centerCm[index] ?? 0, detector.sizeCm[index] ?? 0, detector.segments[index] ?? 1),
        ),
      ]);
    case 'cylinder': {
      refuseOffAxis(detector.centerCm, path, report);
      const { innerRadiusCm, radiusCm, radialSegments, centerCm, depthCm, zSegments } = detector;
      return block('Geometry Cyl', [
        `Name ${name}`,
        axisLine('R', innerRadiusCm, radiusCm, radialSegments),
        centredLine('Z', centerCm[2], depthCm, zSegments),
      ]);
    }
    case 'zone': {
      const zone = zones.at(detector.zone);
      if (zone === undefined) report.refuse(path, 'must refer to a zone that has a volume');
      return block('Geometry Zone', [`Name ${name}`, `Zone ${zone ?? 0}`, 'Volume 1.000000']);
    }
    case 'all':
      return block('Geometry All', [`Name ${name}`]);
  }
}

function centredLine(axis: string, center: number, size: number, bins: number): string {
  return axisLine(axis, center - size / 2, center + size / 2, bins);
}

function axisLine(axis: string, lower: number, upper: number, bins: number): string {
  return `${axis} ${formatShort(lower)} ${formatShort(upper)} ${bins}`;
}

function refuseOffAxis([x, y]: Vector, path: string, report: ConversionReport): void {
  if (x === 0 && y === 0) return;
  report.refuse(`${path}/geometryData/position`, 'a cylinder detector must be on the z axis: x and y must be 0');
}
