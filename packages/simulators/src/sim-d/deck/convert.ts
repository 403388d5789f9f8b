import { ConversionError } from '../../conversion-error.js';
import { refuseBeamOutsideWorld } from '../../deck/beam/refuse-beam-outside-world.js';
import { type ConversionReport, createConversionReport } from '../../deck/conversion-report.js';
import { convertGeometry as readGeometry } from '../../deck/geometry/convert-geometry.js';
import { resolveZones } from '../../deck/geometry/zone-terms.js';
import { createMaterialTable, type MaterialTable } from '../../deck/material-table.js';
import { createNameTable, type NameRules } from '../../deck/name-table.js';
import { refuseSpecialComponents } from '../../deck/refuse-special-components.js';
import { createDetectorTable } from '../../deck/scoring/detector-table.js';
import { listOutputs, type ScoredOutput } from '../../deck/scoring/list-outputs.js';
import type { Conversion, Manifest } from '../../driver.js';
import { MANIFEST_FILE } from '../../output/read-manifest.js';
import type { Project } from '../../project/project.js';
import { DRIVER_NAME } from '../output/outputs.js';
import { BEAM_COMPONENT, convertBeam } from './convert-beam.js';
import {
  type ComponentGeometry,
  convertGeometry,
  PARALLEL_WORLDS_MAX,
  placeGeometry,
  worldFrame,
} from './convert-geometry.js';
import { convertMaterials } from './convert-materials.js';
import { convertPhysics } from './convert-physics.js';
import { convertScoring, countScoringWorlds } from './convert-scoring.js';
import { createFillTable } from './fill-table.js';
import { flag, integer } from './parameter.js';

/** The file of parameters. */
export const CONFIG_FILE = 'topas_config.txt';
/** Names of parameters: case has no meaning. */
const NAME_RULES: NameRules = {
  forbidden: /[^A-Za-z0-9_]+/g,
  lengthMax: 60,
  fallback: 'part',
  letterFirst: true,
  ignoresCase: true,
};
/** Progress lines in a run. */
const PROGRESS_LINES = 100;
/** Stands in every job's deck; a task's own is set when the deck is apportioned. */
const SEED = 1;

/**
 * A project of the editor as one complete file of parameters of TOPAS: geometry in the frame of the world, materials by
 * composition, the beam, and a scorer for every quantity with its sum, mean and standard deviation.
 * @throws ConversionError `PROJECT_UNSUPPORTED`, naming everything that the simulator cannot do
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

function convertDeck(project: Project, report: ConversionReport): Omit<Conversion, 'warnings'> | undefined {
  const table = createMaterialTable(project, report);
  const geometry = readGeometry(project, table, report);
  const zoneIndexes = geometry?.zoneIndexes ?? new Map<string, number>();
  const detectorTable = createDetectorTable(project.detectorManager.detectors, zoneIndexes, report);
  const outputs = listOutputs(project, detectorTable, report);
  const { detectors } = detectorTable;
  const media = placeMedia(outputs, table);
  const physics = convertPhysics(project.physic, report);
  if (geometry === undefined) return undefined;
  const resolved = resolveZones(geometry, report);
  refuseBeamOutsideWorld(project, resolved, report);
  const scoredZones = new Set(detectors.flatMap((detector) => (detector.type === 'zone' ? [detector.zone] : [])));
  const fills = createFillTable(geometry, scoredZones);
  const components = placeGeometry(geometry, resolved, fills, report);
  const vacuum = table.placeSimulationMaterial(undefined, '');
  const materials = convertMaterials(table.materials, fills.fills, [vacuum, ...media.values()], {
    physics: project.physic,
    names: createNameTable(NAME_RULES),
    report,
  });
  if (components === undefined) return undefined;
  refuseManyWorlds(components, countScoringWorlds(detectors), report);
  const names = createNameTable(NAME_RULES, ['World', 'Everywhere', BEAM_COMPONENT, 'BeamPosition']);
  const geometryLines = convertGeometry(components, materials, materials.nameOf(vacuum), names);
  const scoring = convertScoring({
    outputs,
    detectors,
    world: components.world,
    frame: worldFrame(components),
    componentNames: names,
    materials: table.materials,
    materialNames: materials,
    media,
    materialOfZone: (zone) => materials.nameOfFill(fills.ofZone(zone)),
    report,
  });
  const source = convertBeam(project, worldFrame(components), names, report);
  return joinParts(project, { physics, materials: materials.lines, geometry: geometryLines, source, scoring });
}

function joinParts(
  project: Project,
  parts: {
    readonly physics: readonly string[];
    readonly materials: readonly string[];
    readonly geometry: readonly string[];
    readonly source: readonly string[];
    readonly scoring: { readonly lines: readonly string[]; readonly estimators: Manifest['estimators'] };
  },
): Omit<Conversion, 'warnings'> {
  const { physics, materials, geometry, source, scoring } = parts;
  const manifest: Manifest = { driver: DRIVER_NAME, estimators: scoring.estimators };
  const sections = [runLines(project), physics, materials, geometry, source];
  const lines = [...sections.flatMap((section) => [...section, '']).slice(0, -1), ...scoring.lines, ''];
  return { files: { [CONFIG_FILE]: lines.join('\n'), [MANIFEST_FILE]: JSON.stringify(manifest) }, manifest };
}

function runLines({ beam: { numberOfParticles } }: Project): string[] {
  return [
    integer('Ts/Seed', SEED),
    integer('Ts/NumberOfThreads', 1),
    integer('Ts/ShowHistoryCountAtInterval', Math.max(1, Math.floor(numberOfParticles / PROGRESS_LINES))),
    flag('Ts/PauseBeforeQuit', false),
  ];
}

/** Media of quantities join the list of materials after those of the geometry. */
function placeMedia(outputs: readonly ScoredOutput[], table: MaterialTable): Map<string, number> {
  const quantities = outputs.flatMap((output) => output.quantities);
  return new Map(
    quantities
      .filter(({ quantity }) => quantity.materialUuid !== undefined)
      .map(({ quantity, path }) => [path, table.place(quantity, path)]),
  );
}

function refuseManyWorlds({ components }: ComponentGeometry, scoring: number, report: ConversionReport): void {
  const layers = Math.max(0, ...components.map(({ world }) => world));
  if (layers + scoring <= PARALLEL_WORLDS_MAX) return;
  const message = `at most ${PARALLEL_WORLDS_MAX} are possible: ${scoring} for detectors, ${layers} for figures that cut each other`;
  report.refuse('/detectorManager/detectors', message);
}
