import { DRIVER_NAMES, type DriverName } from './driver.js';
import { findSpecies, isLepton, type Species } from './project/particle.js';
import type { Project } from './project/project.js';

/** What a primary of a deck costs, as far as it can be known before it runs. */
export interface Workload {
  /** Decks of one kind cost alike: particle and octave of energy, for example `proton:7`; `files` of users' own files. */
  readonly kind: string;
  /** Processor time of a primary on the built-in engine by the model, seconds. */
  readonly secondsPerPrimary: number;
}

/** Seconds of a run by the model: what one start takes, and how many times longer a primary takes than on the built-in engine. */
interface DriverCost {
  readonly startSeconds: number;
  readonly factor: number;
}

/**
 * The built-in engine: measured (docs/engine.md, Speed). The others: orders of magnitude of proton beams in water, by their
 * users' reports; what jobs took corrects them.
 */
const DRIVER_COSTS: Readonly<Record<DriverName, DriverCost>> = {
  reference: { startSeconds: 0.4, factor: 1 },
  simA: { startSeconds: 0.5, factor: 20 },
  simB: { startSeconds: 2, factor: 40 },
  simC: { startSeconds: 5, factor: 60 },
  simD: { startSeconds: 8, factor: 80 },
};

/** Whatever it is, a path longer than this has left the geometry, cm. */
const PATH_MAX_CM = 100;
/** Mean path between interactions of neutral particles in tissue, a few times over, cm. */
const NEUTRAL_PATH_CM = 20;
/** What a primary takes on the built-in engine without a path, and a centimetre of it. */
interface PathCost {
  readonly primarySeconds: number;
  readonly centimetreSeconds: number;
}

/** Of nuclei, from the table of docs/engine.md, Speed; of photons it gives the 40 to 72 µs of 2 to 15 MeV, too. */
const NUCLEUS_COST: PathCost = { primarySeconds: 10e-6, centimetreSeconds: 2.6e-6 };
/** Of electrons and positrons, from docs/engine.md, Electrons and photons: 6, 12 and 20 MeV in water. */
const ELECTRON_COST: PathCost = { primarySeconds: 58e-6, centimetreSeconds: 14e-6 };
/** Each further quantity takes so much of the first one's time. */
const QUANTITY_SHARE = 0.08;

/** The model of a project: time grows with the path of a primary in water, and with what is scored. */
export function describeWorkload({ beam, scoringManager }: Project): Workload {
  const species = findSpecies(beam.particle) ?? { name: 'unknown', z: 1, a: 1 };
  const nucleons = Math.max(species.a, 1);
  const energy = beam.energyUnit === 'MeV/nucl' ? beam.energy : beam.energy / nucleons;
  const quantities = scoringManager.outputs.reduce((sum, output) => sum + output.quantities.length, 0);
  const path = Math.min(waterPathCm(species, energy), PATH_MAX_CM);
  const scoring = 1 + QUANTITY_SHARE * Math.max(quantities - 1, 0);
  return {
    kind: `${species.name.replace(/ .*$/, '')}:${Math.floor(Math.log2(energy))}`,
    secondsPerPrimary: secondsOf(isElectron(species) ? ELECTRON_COST : NUCLEUS_COST, path) * scoring,
  };
}

/** Of users' own files, which are not read for this: a proton of 150 MeV. */
export const WORKLOAD_OF_FILES: Workload = {
  kind: 'files',
  secondsPerPrimary: secondsOf(NUCLEUS_COST, 16),
};

/** Or a positron. */
function isElectron(species: Species): boolean {
  return isLepton(species) && species.z !== 0;
}

function secondsOf({ primarySeconds, centimetreSeconds }: PathCost, pathCm: number): number {
  return primarySeconds + centimetreSeconds * pathCm;
}

/**
 * Path in water, cm. Nuclei: Bragg and Kleeman's rule, R = 0.0022 E^1.77 for protons (Bortfeld, Med. Phys. 24 (1997) 2024),
 * times A/Z². Electrons: Katz and Penfold, Rev. Mod. Phys. 24 (1952) 28. @param energy - MeV a nucleon
 */
function waterPathCm({ z, a }: Species, energy: number): number {
  if (z === 0) return NEUTRAL_PATH_CM;
  if (a > 0) return (a / z ** 2) * 0.0022 * energy ** 1.77;
  return energy < 2.5 ? 0.412 * energy ** (1.265 - 0.0954 * Math.log(energy)) : 0.53 * energy - 0.106;
}

/** What a task and each of its primaries take by the model, seconds of processor time. */
export interface TaskCost {
  readonly startSeconds: number;
  readonly primarySeconds: number;
}

/** @param engine - who computes, as a driver says it: `reference 0.1.0` */
export function costOf(engine: string, { secondsPerPrimary }: Workload): TaskCost {
  const name = DRIVER_NAMES.find((driver) => engine.split(' ')[0] === driver);
  if (name === undefined) throw new RangeError(`there is no engine ${engine}`);
  const { startSeconds, factor } = DRIVER_COSTS[name];
  return { startSeconds, primarySeconds: factor * secondsPerPrimary };
}
