import { type TransportProblem, validateProblem } from '@tally/engine';
import { ConversionError } from '../conversion-error.js';
import type { AdoptedDeck, DeckFiles, Manifest } from '../driver.js';
import { MANIFEST_FILE } from '../output/read-manifest.js';
import { DRIVER_NAME, PROBLEM_FILE } from '../reference/deck-files.js';
import { BEAM_FILE, REQUIRED_FILES } from './apportion.js';
import { DETECTOR_FILE, GEOMETRY_FILE, MATERIAL_FILE } from './deck-files.js';
import { createDeckFaults } from './deck-reader.js';
import { readBeam } from './read-beam.js';
import { readDetectors } from './read-detectors.js';
import { readGeometry } from './read-geometry.js';
import { readMaterials } from './read-materials.js';

/** Which file a part of the problem came from. */
const FILE_BY_PART: Readonly<Record<string, string>> = {
  beam: BEAM_FILE,
  physics: BEAM_FILE,
  materials: MATERIAL_FILE,
  figures: GEOMETRY_FILE,
  zones: GEOMETRY_FILE,
  world: GEOMETRY_FILE,
};

/** A deck read for the built-in engine. */
export interface DeckProblem {
  readonly problem: TransportProblem;
  readonly primaries: number;
  /** Quantities of the problem that are scaled to a number of primaries. */
  readonly absolute: ReadonlySet<unknown>;
  readonly warnings: AdoptedDeck['warnings'];
}

/**
 * Users' own deck of simA as a transport problem, so that it runs where there is no executable. Read are protons and
 * ions, ICRU materials, boxes, cylinders and spheres, and what the engine scores; everything else is refused.
 * @throws ConversionError `FILES_INVALID` naming missing files, or every line that is wrong or cannot be done
 */
export function readDeck(files: DeckFiles): DeckProblem {
  const missing = REQUIRED_FILES.filter((name) => !Object.hasOwn(files, name));
  if (missing.length > 0) {
    const items = missing.map((name) => ({ path: `/${name}`, message: 'is missing' }));
    throw new ConversionError('FILES_INVALID', items);
  }
  const faults = createDeckFaults();
  const { beam, physics, primaries } = readBeam(files, faults);
  const materials = readMaterials(files[MATERIAL_FILE] ?? '', faults);
  const geometry = readGeometry(files[GEOMETRY_FILE] ?? '', materials, faults);
  const { detectors, outputs, absolute } = readDetectors(files[DETECTOR_FILE] ?? '', { geometry, materials, faults });
  const { title, figures, zones, world } = geometry;
  const problem: TransportProblem = {
    version: 1,
    title,
    beam,
    physics,
    materials: materials.materials,
    figures,
    zones,
    world,
    detectors,
    outputs,
  };
  if (faults.items.length === 0) {
    for (const { path, message } of validateProblem(problem)) {
      const part = /^\w+/.exec(path)?.[0] ?? '';
      faults.refuse(FILE_BY_PART[part] ?? DETECTOR_FILE, undefined, `${path}: ${message}`);
    }
  }
  if (faults.items.length > 0) throw new ConversionError('FILES_INVALID', faults.items);
  return { problem, primaries, absolute, warnings: faults.warnings };
}

/**
 * Users' own deck of simA as a job's deck of the built-in engine; the users' files stay in it.
 * @throws ConversionError `FILES_INVALID`
 */
export function adoptForReference(files: DeckFiles): AdoptedDeck {
  const { problem, primaries, absolute, warnings } = readDeck(files);
  const manifest: Manifest = {
    driver: DRIVER_NAME,
    estimators: problem.outputs.map((output) => describeEstimator(output, absolute)),
  };
  return {
    files: { ...files, [PROBLEM_FILE]: JSON.stringify(problem), [MANIFEST_FILE]: JSON.stringify(manifest) },
    primaries,
    warnings,
  };
}

/** Users' files have no uuids: names stand in their place. */
function describeEstimator(
  { name, quantities }: TransportProblem['outputs'][number],
  absolute: ReadonlySet<unknown>,
): Manifest['estimators'][number] {
  return {
    name,
    outputUuid: name,
    pages: quantities.map((quantity, index) => ({
      pageNumber: index + 1,
      name: quantity.name,
      quantityUuid: `${name} ${index + 1}`,
      isAbsolute: absolute.has(quantity),
    })),
  };
}
