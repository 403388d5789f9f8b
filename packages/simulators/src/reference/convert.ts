import { type Material as EngineMaterial, findWarnings, type TransportProblem, validateProblem } from '@tally/engine';
import { ConversionError } from '../conversion-error.js';
import { type ConversionReport, createConversionReport } from '../deck/conversion-report.js';
import { convertGeometry } from '../deck/geometry/convert-geometry.js';
import { createMaterialTable, type DeckMaterial } from '../deck/material-table.js';
import { refuseSpecialComponents } from '../deck/refuse-special-components.js';
import { createDetectorTable } from '../deck/scoring/detector-table.js';
import { reportName, warnOfUnusedTable } from '../deck/stopping-powers.js';
import type { Conversion, Manifest } from '../driver.js';
import { MANIFEST_FILE } from '../output/read-manifest.js';
import type { Project } from '../project/project.js';
import type { SimType } from '../sim-type.js';
import { convertBeam, convertPhysics } from './convert-beam.js';
import { convertScoring } from './convert-scoring.js';
import { DRIVER_NAME, PROBLEM_FILE } from './deck-files.js';

/**
 * A project of the editor as the reference engine's transport problem, in the file `problem.json`.
 * Stopping powers are those of the simulator that was asked for, unless a zone asks for others.
 * What the engine cannot do is looked for everywhere before anything is refused.
 * @throws ConversionError `PROJECT_UNSUPPORTED`, naming everything
 */
export function convert(project: Project, simType: SimType): Conversion {
  const report = createConversionReport(project.readingWarnings);
  refuseSpecialComponents(project, { hasModulator: false }, report);
  const converted = convertProblem(project, simType, report);
  if (converted !== undefined) refuseFaults(converted.problem, report);
  if (converted === undefined || report.items.length > 0)
    throw new ConversionError('PROJECT_UNSUPPORTED', report.items);
  const { problem, manifest } = converted;
  for (const { code, message } of findWarnings(problem)) report.warn(code, message);
  return {
    files: { [PROBLEM_FILE]: JSON.stringify(problem), [MANIFEST_FILE]: JSON.stringify(manifest) },
    warnings: report.warnings,
    manifest,
  };
}

/** `undefined` when there is no geometry to speak of; that has been reported. */
export function convertProblem(
  project: Project,
  simType: SimType,
  report: ConversionReport,
): { problem: TransportProblem; manifest: Manifest } | undefined {
  const materials = createMaterialTable(project, report);
  const beam = convertBeam(project.beam, report);
  const physics = convertPhysics(project.physic, simType, report);
  const geometry = convertGeometry(project, materials, report);
  const zoneIndexes = geometry?.zoneIndexes ?? new Map<string, number>();
  const detectors = createDetectorTable(project.detectorManager.detectors, zoneIndexes, report);
  const { outputs, estimators } = convertScoring({ project, materials, detectors, report });
  warnOfUnusedTable(materials.materials, project.physic, report);
  if (geometry === undefined) return undefined;
  const problem: TransportProblem = {
    version: 1,
    title: project.project.title,
    beam,
    physics,
    materials: materials.materials.map((material) => convertMaterial(material, report)),
    figures: geometry.figures,
    zones: geometry.zones,
    world: geometry.world,
    detectors: detectors.detectors,
    outputs,
  };
  return { problem, manifest: { driver: DRIVER_NAME, estimators } };
}

/** What the engine knows of a material: its stopping powers are its own, by the table. */
function convertMaterial(material: DeckMaterial, report: ConversionReport): EngineMaterial {
  const { name, icru, densityGcm3, ionisationEv, stoppingPowerTable } = material;
  if (stoppingPowerTable !== undefined) {
    const table = reportName(stoppingPowerTable);
    const message = `the engine uses its own stopping powers of ${table} for "${name}" instead of the attached file`;
    report.warn('STOPPING_POWER_FILE_UNUSED', message);
  }
  return {
    name,
    icru,
    ...(densityGcm3 === undefined ? {} : { densityGcm3 }),
    ...(ionisationEv === undefined ? {} : { ionisationEv }),
    ...(stoppingPowerTable === undefined ? {} : { stoppingPowerTable }),
  };
}

/** What the engine itself finds in the problem, told by its places in the project. */
function refuseFaults(problem: TransportProblem, report: ConversionReport): void {
  for (const { path, message } of validateProblem(problem)) {
    // `outputs[0].quantities[1].keyword` → `/outputs/0/quantities/1/keyword`
    const pointer = `/${path.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`;
    report.refuse(report.originOf(pointer), message);
  }
}
