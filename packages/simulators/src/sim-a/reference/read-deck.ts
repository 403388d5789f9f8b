import { type TransportProblem, validateProblem } from '@tally/engine';
import { ConversionError } from '../../conversion-error.js';
import type { AdoptedDeck, DeckFiles, Manifest } from '../../driver.js';
import type { OnUnsupported } from '../../omission.js';
import { MANIFEST_FILE } from '../../output/read-manifest.js';
import { DRIVER_NAME, PROBLEM_FILE } from '../../reference/deck-files.js';
import { BEAM_FILE, REQUIRED_FILES } from '../apportion.js';
import { DETECTOR_FILE, GEOMETRY_FILE, MATERIAL_FILE } from '../deck-files.js';
import { createDeckFaults } from './deck-reader.js';
import { readBeam } from './read-beam.js';
import { type DeckScoring, readDetectors } from './read-detectors.js';
import { readGeometry } from './read-geometry.js';
import { readMaterials } from './read-materials.js';
import { readPartialDeck } from './read-partial-deck.js';

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
  const scoring = readDetectors(files[DETECTOR_FILE] ?? '', { geometry, materials, faults });
  const { detectors, outputs, absolute } = scoring;
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
      const line = findLine(path, scoring);
      const file = FILE_BY_PART[/^\w+/.exec(path)?.[0] ?? ''] ?? DETECTOR_FILE;
      if (line === undefined) faults.refuse(file, undefined, `${path}: ${message}`);
      else faults.refuseToScore(file, line, `${path}: ${message}`);
    }
  }
  if (faults.items.length > 0) throw new ConversionError('FILES_INVALID', faults.items);
  return { problem, primaries, absolute, warnings: faults.warnings };
}

/** The line of what a place in a problem is about: a quantity, an output or a detector. */
function findLine(path: string, { detectors, outputs, lines }: DeckScoring): number | undefined {
  const [, list, index, quantity] = /^(\w+)\[(\d+)\](?:\.quantities\[(\d+)\])?/.exec(path) ?? [];
  const output = list === 'outputs' ? outputs[Number(index)] : undefined;
  const about = list === 'detectors' ? detectors[Number(index)] : (output?.quantities[Number(quantity)] ?? output);
  return about === undefined ? undefined : lines.get(about);
}

/**
 * Users' own deck of simA as a job's deck of the built-in engine; the users' files stay in it, as they are.
 * @throws ConversionError `FILES_INVALID`
 */
export function adoptForReference(files: DeckFiles, onUnsupported: OnUnsupported = 'refuse'): AdoptedDeck {
  const { deck, omissions } =
    onUnsupported === 'omit' ? readPartialDeck(files, readDeck) : { deck: readDeck(files), omissions: [] };
  const { problem, primaries, absolute, warnings } = deck;
  const manifest: Manifest = {
    driver: DRIVER_NAME,
    estimators: problem.outputs.map((output) => describeEstimator(output, absolute)),
  };
  return {
    files: { ...files, [PROBLEM_FILE]: JSON.stringify(problem), [MANIFEST_FILE]: JSON.stringify(manifest) },
    primaries,
    warnings: [...warnings, ...omissions],
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
