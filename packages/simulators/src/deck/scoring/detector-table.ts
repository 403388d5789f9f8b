import type { Detector as EngineDetector } from '@tally/engine';
import type { Detector } from '../../project/detector.js';
import type { Output } from '../../project/scoring.js';
import type { ConversionReport } from '../conversion-report.js';

/** A deck's list of detectors while it grows: only detectors that an output uses get into it. */
export interface DetectorTable {
  readonly detectors: readonly EngineDetector[];
  /** Index of the detector of the output at `path` of the project; `undefined` after reporting that it has none. */
  readonly place: (output: Output, path: string) => number | undefined;
}

export function createDetectorTable(
  projectDetectors: readonly Detector[],
  zoneIndexes: ReadonlyMap<string, number>,
  report: ConversionReport,
): DetectorTable {
  const detectors: EngineDetector[] = [];
  const placed = new Map<string, number>();

  const add = (uuid: string, path: string, detector: EngineDetector | undefined): number | undefined => {
    if (detector === undefined) return undefined;
    report.trace(`/detectors/${detectors.length}`, path);
    placed.set(uuid, detectors.push(detector) - 1);
    return placed.get(uuid);
  };
  const zoneDetector = (name: string, zoneUuid: string, path: string): EngineDetector | undefined => {
    const zone = zoneIndexes.get(zoneUuid);
    if (zone !== undefined) return { type: 'zone', name, zone };
    report.refuse(path, 'must refer to a zone that has a volume');
    return undefined;
  };

  return {
    detectors,
    place(output, path) {
      const { detectorUuid, zoneUuid } = output;
      const isZone = output.scoringType === 'ZONE' || detectorUuid === undefined;
      const uuid = isZone ? zoneUuid : detectorUuid;
      if (uuid === undefined) {
        report.refuse(
          path,
          `output "${output.name}" must have a ${isZone ? 'detectorUuid or zoneUuid' : 'detectorUuid'}`,
        );
        return undefined;
      }
      const known = placed.get(uuid);
      if (known !== undefined) return known;
      if (isZone) return add(uuid, `${path}/zoneUuid`, zoneDetector(output.name, uuid, `${path}/zoneUuid`));
      const index = projectDetectors.findIndex((detector) => detector.uuid === uuid);
      const detector = projectDetectors[index];
      // readProject lets no reference through that resolves to nothing.
      if (detector === undefined) throw new Error(`no detector for ${path}`);
      const detectorPath = `/detectorManager/detectors/${index}`;
      warnOfRotation(detector, report);
      return add(uuid, detectorPath, convertDetector(detector, detectorPath, zoneDetector));
    },
  };
}

function convertDetector(
  { name, geometryData }: Detector,
  path: string,
  zoneDetector: (name: string, zoneUuid: string, path: string) => EngineDetector | undefined,
): EngineDetector | undefined {
  switch (geometryData.geometryType) {
    case 'Mesh': {
      const { width, height, depth, xSegments, ySegments, zSegments } = geometryData.parameters;
      const [sizeCm, segments] = [[width, height, depth] as const, [xSegments, ySegments, zSegments] as const];
      return { type: 'mesh', name, centerCm: geometryData.position, sizeCm, segments };
    }
    case 'Cyl': {
      const { innerRadius, radius, depth, radialSegments, zSegments } = geometryData.parameters;
      return {
        type: 'cylinder',
        name,
        centerCm: geometryData.position,
        innerRadiusCm: innerRadius,
        radiusCm: radius,
        depthCm: depth,
        radialSegments,
        zSegments,
      };
    }
    case 'Zone':
      return zoneDetector(name, geometryData.parameters.zoneUuid, `${path}/geometryData/parameters/zoneUuid`);
    case 'All':
      return { type: 'all', name };
  }
}

/** The editor stores a rotation of detectors, but neither shows it nor hands it to any simulator. */
function warnOfRotation({ name, geometryData }: Detector, report: ConversionReport): void {
  if (geometryData.rotation.every((angle) => angle === 0)) return;
  report.warn('DETECTOR_ROTATION_UNUSED', `detector "${name}" is scored along the axes: its rotation has no effect`);
}
