import { ConversionError } from '../../conversion-error.js';
import { refuseBeamOutsideWorld } from '../../deck/beam/refuse-beam-outside-world.js';
import { type ConversionReport, createConversionReport } from '../../deck/conversion-report.js';
import { convertGeometry as readGeometry } from '../../deck/geometry/convert-geometry.js';
import { findWorldLimits } from '../../deck/geometry/figure-limits.js';
import { resolveZones } from '../../deck/geometry/zone-terms.js';
import { createMaterialTable } from '../../deck/material-table.js';
import { refuseSpecialComponents } from '../../deck/refuse-special-components.js';
import { createDetectorTable } from '../../deck/scoring/detector-table.js';
import { listOutputs } from '../../deck/scoring/list-outputs.js';
import { warnOfModels } from '../../deck/warn-of-models.js';
import type { Conversion, Manifest } from '../../driver.js';
import { MANIFEST_FILE } from '../../output/read-manifest.js';
import type { Physics } from '../../project/physics.js';
import type { Project } from '../../project/project.js';
import { ANALYSIS_FILE, GEOMETRY_FILE, MACRO_FILE } from '../deck-files.js';
import { DRIVER_NAME } from '../output/outputs.js';
import { convertBeam } from './convert-beam.js';
import { convertGeometry, isDisplaced } from './convert-geometry.js';
import { convertMaterials } from './convert-materials.js';
import { type ConvertedScoring, convertScoring } from './convert-scoring.js';
import { warnOfScoresOutside } from './warn-of-scores-outside.js';
import { writeGdml } from './write-gdml.js';

/**
 * A project of the editor as input of a Geant4 application: `geometry.gdml` and the macro `run.mac`.
 *
 * What differs from the editor's own converter: projects of zones, as boolean solids; rotations, densities and mean
 * excitation energies; materials by composition; lengths to 14 digits; photons and carbon as beams; the spot and the
 * divergence of oblique beams; scores in zones and everywhere, the inner radius of cylinders; all filters.
 * @throws ConversionError `PROJECT_UNSUPPORTED`, naming everything
 */
export function convert(project: Project): Conversion {
  const report = createConversionReport(project.readingWarnings);
  refuseSpecialComponents(project, { hasModulator: false }, report);
  const conversion = convertDeck(project, report);
  if (conversion === undefined || report.items.length > 0) {
    throw new ConversionError('PROJECT_UNSUPPORTED', report.items);
  }
  return { ...conversion, warnings: report.warnings };
}

/** `undefined` when there is no geometry to speak of; that has been reported. */
function convertDeck(project: Project, report: ConversionReport): Omit<Conversion, 'warnings'> | undefined {
  const table = createMaterialTable(project, report);
  const beamLines = convertBeam(project, report);
  const physicsLines = convertPhysics(project.physic, report);
  const geometry = readGeometry(project, table, report);
  if (geometry === undefined) return undefined;
  const resolved = resolveZones(geometry, report);
  refuseBeamOutsideWorld(project, resolved, report);
  const tree = convertGeometry(project, geometry, resolved, report);
  const { text, volumeNames } = writeGdml(tree, convertMaterials(table.materials, project.physic, report));
  const { detectors, place } = createDetectorTable(project.detectorManager.detectors, geometry.zoneIndexes, report);
  const fillings = [...geometry.zones.map(({ material }) => material), geometry.world.material];
  const outputs = listOutputs(project, { detectors, place }, report);
  const world = geometry.figures[geometry.world.figure];
  if (world !== undefined && isDisplaced(world)) warnOfScoresOutside(outputs, detectors, world, report);
  const scoring = convertScoring(outputs, {
    detectors,
    volumeNames,
    zoneMaterials: fillings.flatMap((material) => table.materials[material] ?? []),
    worldLimitsCm: findWorldLimits(geometry),
    report,
  });
  const manifest: Manifest = { driver: DRIVER_NAME, estimators: scoring.estimators };
  const macro = writeMacro(project.beam.numberOfParticles, physicsLines, beamLines, scoring);
  return {
    files: { [GEOMETRY_FILE]: text, [MACRO_FILE]: macro, [MANIFEST_FILE]: JSON.stringify(manifest) },
    manifest,
  };
}

/** The simulator's own physics list decides; only straggling can be switched off. */
function convertPhysics(physics: Physics, report: ConversionReport): string[] {
  if (!physics.enableNuclearReactions) {
    report.refuse('/physic/enableNuclearReactions', 'the simulator cannot switch nuclear reactions off');
  }
  if (physics.multipleScattering === 'no scattering') {
    report.refuse('/physic/multipleScattering', 'the simulator cannot switch scattering off');
  }
  warnOfModels(physics, report);
  return physics.energyModelStraggling === 'no straggling' ? ['/process/eLoss/fluct false'] : [];
}

function writeMacro(
  primaries: number,
  physicsLines: readonly string[],
  beamLines: readonly string[],
  { meshLines, histogramLines, dumpLines }: ConvertedScoring,
): string {
  const lines = [
    ...physicsLines,
    '/run/initialize',
    '# beam',
    ...beamLines,
    '# scoring',
    ...meshLines,
    ...(histogramLines.length > 0 ? [`/analysis/setFileName ${ANALYSIS_FILE}`] : []),
    ...histogramLines,
    '# run',
    `/run/beamOn ${primaries}`,
    ...dumpLines,
  ];
  return `${lines.join('\n')}\n`;
}
