import { ConversionError } from '../../conversion-error.js';
import { refuseBeamOutsideWorld } from '../../deck/beam/refuse-beam-outside-world.js';
import { type ConversionReport, createConversionReport } from '../../deck/conversion-report.js';
import { convertGeometry as readGeometry } from '../../deck/geometry/convert-geometry.js';
import { resolveZones } from '../../deck/geometry/zone-terms.js';
import { createMaterialTable, type MaterialTable } from '../../deck/material-table.js';
import { createNameTable, FILE_NAME_RULES } from '../../deck/name-table.js';
import { refuseSpecialComponents } from '../../deck/refuse-special-components.js';
import { createDetectorTable } from '../../deck/scoring/detector-table.js';
import { listOutputs, type ScoredOutput } from '../../deck/scoring/list-outputs.js';
import type { Conversion, DeckFiles, Manifest } from '../../driver.js';
import { MANIFEST_FILE } from '../../output/read-manifest.js';
import type { Project } from '../../project/project.js';
import { BEAM_FILE, REQUIRED_FILES } from '../apportion.js';
import { DETECTOR_FILE, GEOMETRY_FILE, MATERIAL_FILE, SOURCE_FILE } from '../deck-files.js';
import { DRIVER_NAME } from '../output/outputs.js';
import { convertBeam } from './convert-beam.js';
import { convertGeometry } from './convert-geometry.js';
import { convertMaterials } from './convert-materials.js';
import { convertModulator, type Modulator } from './convert-modulator.js';
import { convertScoring } from './convert-scoring.js';
import { numberZones } from './zone-numbers.js';

/**
 * A project of the editor as a deck of SHIELD-HIT12A: `beam.dat`, `mat.dat`, `geo.dat`, `detect.dat`, and the texts of
 * stopping powers, source and modulator that the project carries.
 * @throws ConversionError `PROJECT_UNSUPPORTED`, naming everything that the simulator cannot do
 */
export function convert(project: Project): Conversion {
  const report = createConversionReport(project.readingWarnings);
  refuseSpecialComponents(project, { hasModulator: true }, report);
  const conversion = convertDeck(project, report);
  if (conversion === undefined || report.items.length > 0) {
    throw new ConversionError('PROJECT_UNSUPPORTED', report.items);
  }
  return { ...conversion, warnings: report.warnings };
}

/** `undefined` when there is no geometry to speak of; that has been reported. */
function convertDeck(project: Project, report: ConversionReport): Omit<Conversion, 'warnings'> | undefined {
  const table = createMaterialTable(project, report);
  const geometry = readGeometry(project, table, report);
  const zoneIndexes = geometry?.zoneIndexes ?? new Map<string, number>();
  const { detectors, place } = createDetectorTable(project.detectorManager.detectors, zoneIndexes, report);
  const outputs = listOutputs(project, { detectors, place }, report);
  const materialNumbers = placeMedia(outputs, table);
  const fileNames = createNameTable(FILE_NAME_RULES, [...REQUIRED_FILES, SOURCE_FILE, MANIFEST_FILE]);
  const materials = convertMaterials(table.materials, project.physic, fileNames.claim, report);
  if (geometry === undefined) return undefined;
  const resolved = resolveZones(geometry, report);
  refuseBeamOutsideWorld(project, resolved, report);
  const zones = numberZones(geometry, resolved);
  for (const [index, terms] of resolved.zones.entries()) {
    if (terms.length > 0) continue;
    report.warn('ZONE_COVERED', `zone "${geometry.zones[index]?.name ?? ''}" has no space of its own and is left out`);
  }
  const modulator = convertModulator(project, zones, fileNames.claim, report);
  const scoring = convertScoring({
    outputs,
    detectors,
    zones,
    materialTable: { materials: table.materials, numberOf: materials.numberOf },
    materialNumbers,
    report,
  });
  const manifest: Manifest = { driver: DRIVER_NAME, estimators: scoring.estimators };
  const files = {
    [BEAM_FILE]: convertBeam(project, modulator, report),
    [MATERIAL_FILE]: materials.text,
    [GEOMETRY_FILE]: convertGeometry({ title: project.project.title, geometry, resolved, materials }, report),
    [DETECTOR_FILE]: scoring.text,
    ...materials.files,
    ...attachedFiles(project, modulator, report),
    [MANIFEST_FILE]: JSON.stringify(manifest),
  };
  return { files, manifest };
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

function attachedFiles(project: Project, modulator: Modulator | undefined, report: ConversionReport): DeckFiles {
  const { sourceType, sourceFile } = project.beam;
  if (sourceType === 'file' && (sourceFile === undefined || sourceFile.value === '')) {
    report.refuse('/beam/sourceFile', 'must have a text: the beam comes from a file');
  }
  return {
    ...(sourceType === 'file' && sourceFile !== undefined ? { [SOURCE_FILE]: sourceFile.value } : {}),
    ...(modulator === undefined ? {} : { [modulator.fileName]: modulator.text }),
  };
}
