import { ConversionError } from '../../conversion-error.js';
import { refuseBeamOutsideWorld } from '../../deck/beam/refuse-beam-outside-world.js';
import { type ConversionReport, createConversionReport } from '../../deck/conversion-report.js';
import { convertGeometry } from '../../deck/geometry/convert-geometry.js';
import { findWorldLimits } from '../../deck/geometry/figure-limits.js';
import { resolveZones } from '../../deck/geometry/zone-terms.js';
import { createMaterialTable } from '../../deck/material-table.js';
import { refuseSpecialComponents } from '../../deck/refuse-special-components.js';
import { createDetectorTable } from '../../deck/scoring/detector-table.js';
import { listOutputs } from '../../deck/scoring/list-outputs.js';
import type { Conversion, Manifest } from '../../driver.js';
import { MANIFEST_FILE } from '../../output/read-manifest.js';
import type { Project } from '../../project/project.js';
import { readTitle } from '../../project/read-project.js';
import { INPUT_FILE } from '../deck-files.js';
import { DRIVER_NAME } from '../output/outputs.js';
import { formatCard } from './card.js';
import { convertBeam } from './convert-beam.js';
import { BOUNDARY, type ConvertedRegions, convertRegions } from './convert-geometry.js';
import { type ConvertedMaterials, convertMaterials } from './convert-materials.js';
import { convertPhysics } from './convert-physics.js';
import { convertScoring } from './convert-scoring.js';

/** Histories that the `START` card has room for. */
const PRIMARIES_MAX = 9_999_999_999;
/** From here on a number of histories leaves no room for `.0`. */
const PRIMARIES_WITH_POINT = 1e8;
const TITLE_LENGTH_MAX = 80;
const DEFAULT_TITLE = 'Simulation';
/** Seed of the deck itself; every task has its own put in its place. */
const RANDOM_SEED = 137;

/**
 * A project of the editor as a FLUKA card deck in the fixed format with names, in the file `fl_sim.inp`.
 *
 * What differs from the editor's own converter: Gaussian spots are given as full width at half maximum and flat ones as
 * full widths, direction cosines are components of the unit vector and oblique spots have their own axes, energy spread
 * and divergence are written; any of the materials by composition; turned boxes and hollow cylinders; overlapping zones
 * give way to earlier ones, and the world is what no zone takes rather than what no figure takes; a bar stands before
 * every term of a union; zones and everywhere are scored; names of detectors are unique; what has no card is refused
 * or warned of.
 * @throws ConversionError `PROJECT_UNSUPPORTED`, naming everything
 */
export function convert(project: Project): Conversion {
  const report = createConversionReport(project.readingWarnings);
  refuseSpecialComponents(project, { hasModulator: false }, report);
  const converted = convertDeck(project, report);
  if (converted === undefined || report.items.length > 0) {
    throw new ConversionError('PROJECT_UNSUPPORTED', report.items);
  }
  const { lines, manifest } = converted;
  return {
    files: { [INPUT_FILE]: `${lines.join('\n')}\n`, [MANIFEST_FILE]: JSON.stringify(manifest) },
    warnings: report.warnings,
    manifest,
  };
}

/** `undefined` when there is no geometry to speak of; that has been reported. */
function convertDeck(project: Project, report: ConversionReport): { lines: string[]; manifest: Manifest } | undefined {
  const materials = createMaterialTable(project, report);
  const beamCards = convertBeam(project, report);
  const physicsCards = convertPhysics(project.physic, report);
  const geometry = convertGeometry(project, materials, report);
  if (geometry === undefined) return undefined;
  const resolved = resolveZones(geometry, report);
  refuseBeamOutsideWorld(project, resolved, report);
  const regions = convertRegions(geometry, resolved, report);
  const detectors = createDetectorTable(project.detectorManager.detectors, geometry.zoneIndexes, report);
  const { lines: scoringCards, estimators } = convertScoring(listOutputs(project, detectors, report), {
    detectors: detectors.detectors,
    regionNames: regions.regionNames,
    worldLimitsCm: findWorldLimits(geometry),
    report,
  });
  const lines = [
    'TITLE',
    writeTitle(project),
    formatCard('DEFAULTS', [], 'HADROTHE'),
    '* beam',
    ...beamCards,
    ...physicsCards,
    '* geometry',
    formatCard('GEOBEGIN', [], 'COMBNAME'),
    '    0    0',
    ...regions.bodyLines,
    'END',
    ...regions.regionLines,
    'END',
    'GEOEND',
    ...writeMaterials(regions, convertMaterials(materials.materials, project.physic, report)),
    '* scoring',
    ...scoringCards,
    '* random numbers and histories',
    formatCard('RANDOMIZ', [undefined, RANDOM_SEED]),
    writeStart(project, report),
    'STOP',
  ];
  return { lines, manifest: { driver: DRIVER_NAME, estimators } };
}

function writeMaterials({ assignments }: ConvertedRegions, materials: ConvertedMaterials): string[] {
  const { names, materialCards, neutronCards, compoundCards, propertyCards } = materials;
  return [
    ...materialCards,
    ...neutronCards,
    ...compoundCards,
    ...propertyCards,
    ...assignments.map(({ region, material }) => formatCard('ASSIGNMA', [names[material], region])),
    formatCard('ASSIGNMA', ['BLCKHOLE', BOUNDARY]),
  ];
}

/** One line of text that no reader takes for a card or comment. */
function writeTitle(project: Project): string {
  const title = (readTitle(project) ?? '').normalize('NFKD').replaceAll(/[^\x20-\x7E]/g, '');
  return (
    title
      .replace(/^[*#\s]+/, '')
      .slice(0, TITLE_LENGTH_MAX)
      .trim() || DEFAULT_TITLE
  );
}

function writeStart({ beam }: Project, report: ConversionReport): string {
  const { numberOfParticles: primaries } = beam;
  if (primaries > PRIMARIES_MAX) {
    report.refuse('/beam/numberOfParticles', `must be at most ${PRIMARIES_MAX}: the card has no room for more`);
  }
  // As a whole number, which a number with a point has no room for when it is large.
  return formatCard('START', [primaries < PRIMARIES_WITH_POINT ? primaries : String(primaries)]);
}
