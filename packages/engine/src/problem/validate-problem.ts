import { type Fault, shapeFaults } from '../fault.js';
import { BLACK_HOLE_ICRU, findMaterial, VACUUM_ICRU } from '../material/material-library.js';
import { unreachable } from './filter-reach.js';
import { findLepton, type Lepton, leptonFaults } from './lepton.js';
import type { Beam, EngineTask, Output, Quantity, Spot, TransportProblem } from './problem.js';
import { problemSchema, taskSchema } from './problem-schema.js';
import { SCORED_QUANTITIES } from './quantity.js';
import { quantityFaults } from './validate-quantity.js';

const CHARGE_MAX = 10;
const MASS_NUMBER_MAX = 30;
/** Limits of the beam's energy, MeV per nucleon. */
const ENERGY_MIN = 0.1;
const ENERGY_MAX = 500;
/** Most figures, materials, detectors or zones of a problem. */
const LIST_MAX = 4096;
/** Most spots of a spot list, and how many faults of them are told. */
const SPOTS_MAX = 200_000;
const SPOT_FAULTS_MAX = 20;
/** Most numbers that a task adds up. */
const SUMS_MAX = 40_000_000;
const LIGHT_IONS = new Set(['1,1', '2,1', '3,1', '3,2', '4,2']);
const NOT_TRANSPORTED = /neutron|photon|gamma|electron|positron|muon|pion|kaon|anti|^(mu|pi|k|e)\s*[-+−⁻⁺0~]$|^[πμ]/i;

function particleFaults({ particle, energyMev, spots }: Beam): Fault[] {
  const { name, z, a } = particle;
  const lepton = findLepton(particle);
  if (lepton !== undefined) {
    if (spots !== undefined) return spotFaults(spots, (energy, path) => leptonEnergyFault(lepton, path, energy));
    return leptonEnergyFault(lepton, 'beam.energyMev', energyMev);
  }
  const ion = z >= 3 && z <= CHARGE_MAX && a >= z && a <= MASS_NUMBER_MAX;
  if (NOT_TRANSPORTED.test(name) || !(LIGHT_IONS.has(`${a},${z}`) || ion)) {
    const message = `beam particle "${name}" (Z ${z}, A ${a}) is not supported; protons, d, t, ³He, ⁴He, ions of Z 3–10, electrons, positrons and photons are`;
    return [{ path: 'beam.particle', message }];
  }
  if (spots !== undefined) return spotFaults(spots, (energy, path) => energyFault(path, energy / a));
  return energyFault('beam.energyMev', energyMev / a);
}

function energyFault(path: string, perNucleon: number): Fault[] {
  if (perNucleon >= ENERGY_MIN && perNucleon <= ENERGY_MAX) return [];
  const message = `${perNucleon} MeV per nucleon is outside ${ENERGY_MIN}–${ENERGY_MAX} MeV per nucleon`;
  return [{ path, message }];
}

function leptonEnergyFault({ name, energyMinMev, energyMaxMev }: Lepton, path: string, energyMev: number): Fault[] {
  if (energyMev >= energyMinMev && energyMev <= energyMaxMev) return [];
  return [{ path, message: `${energyMev} MeV is outside ${energyMinMev}–${energyMaxMev} MeV of ${name}s` }];
}

function spotFaults(spots: readonly Spot[], energyFaultOf: (energyMev: number, path: string) => Fault[]): Fault[] {
  if (spots.length > SPOTS_MAX) return [{ path: 'beam.spots', message: `more than ${SPOTS_MAX} spots` }];
  if (!spots.some(({ weight }) => weight > 0)) {
    return [{ path: 'beam.spots', message: 'no spot has a weight above 0' }];
  }
  return spots
    .flatMap(({ energyMev }, i) => energyFaultOf(energyMev, `beam.spots[${i}].energyMev`))
    .slice(0, SPOT_FAULTS_MAX);
}

/** Where nothing within four standard deviations of an energy lies between the cut-offs. */
function cutOffFault(
  { energyMev, energySpreadMev }: Pick<Spot, 'energyMev' | 'energySpreadMev'>,
  path: string,
  low: number,
  high: number,
): Fault[] {
  const reach = 4 * energySpreadMev;
  if (energyMev + reach >= low && energyMev - reach <= high) return [];
  return [{ path, message: `the energy lies outside the cut-offs ${low}–${high} MeV` }];
}

function beamFaults(beam: Beam): Fault[] {
  const faults = particleFaults(beam);
  if (beam.direction.every((component) => component === 0)) {
    faults.push({ path: 'beam.direction', message: 'the direction has no length' });
  }
  const { energyLowCutoffMev: low, energyHighCutoffMev: high, spots } = beam;
  if (!(low < high)) faults.push({ path: 'beam.energyLowCutoffMev', message: 'not below the high cut-off' });
  else if (spots === undefined) faults.push(...cutOffFault(beam, 'beam.energyMev', low, high));
  else {
    const outside = spots.flatMap((spot, i) => cutOffFault(spot, `beam.spots[${i}].energyMev`, low, high));
    faults.push(...outside.slice(0, SPOT_FAULTS_MAX));
  }
  return faults;
}

function materialFaults(problem: TransportProblem): Fault[] {
  return problem.materials.flatMap(({ icru, name }, i) =>
    icru === VACUUM_ICRU || icru === BLACK_HOLE_ICRU || findMaterial(icru) !== undefined
      ? []
      : [{ path: `materials[${i}].icru`, message: `material "${name}" (ICRU id ${icru}) has no known composition` }],
  );
}

function indexFault(path: string, value: number, length: number, list: string): Fault[] {
  return value < length ? [] : [{ path, message: `${list} has no entry ${value}` }];
}

function geometryFaults({ figures, zones, materials, world }: TransportProblem): Fault[] {
  const faults = figures.flatMap(({ shape, name }, i) =>
    shape.type === 'cylinder' && shape.innerRadiusCm >= shape.radiusCm
      ? [{ path: `figures[${i}].shape.innerRadiusCm`, message: `figure "${name}" has no wall` }]
      : [],
  );
  for (const [i, zone] of zones.entries()) {
    faults.push(...indexFault(`zones[${i}].material`, zone.material, materials.length, 'materials'));
    for (const [k, term] of zone.terms.entries()) {
      const path = `zones[${i}].terms[${k}]`;
      if (term[0]?.mode !== 'union') {
        faults.push({
          path: `${path}[0].mode`,
          message: `the first operation of a term of zone "${zone.name}" is not a union`,
        });
      }
      faults.push(
        ...term.flatMap(({ figure }, n) => indexFault(`${path}[${n}].figure`, figure, figures.length, 'figures')),
      );
    }
  }
  faults.push(...indexFault('world.figure', world.figure, figures.length, 'figures'));
  faults.push(...indexFault('world.material', world.material, materials.length, 'materials'));
  return faults;
}

function detectorFaults({ detectors, zones }: TransportProblem): Fault[] {
  return detectors.flatMap((detector, i) => {
    if (detector.type === 'zone') {
      return indexFault(`detectors[${i}].zone`, detector.zone, zones.length + 1, 'zones (and the world)');
    }
    if (detector.type === 'cylinder' && detector.innerRadiusCm >= detector.radiusCm) {
      return [{ path: `detectors[${i}].innerRadiusCm`, message: `detector "${detector.name}" has no volume` }];
    }
    return [];
  });
}

function filterFaults(quantity: Quantity, problem: TransportProblem, path: string): Fault[] {
  if (!SCORED_QUANTITIES.has(quantity.keyword)) return [];
  const message = unreachable(quantity, problem);
  return message === undefined ? [] : [{ path, message }];
}

function outputFaults(problem: TransportProblem): Fault[] {
  const names = new Set<string>();
  return problem.outputs.flatMap((output: Output, i) => {
    const path = `outputs[${i}]`;
    const faults = indexFault(`${path}.detector`, output.detector, problem.detectors.length, 'detectors');
    if (names.has(output.name))
      faults.push({ path: `${path}.name`, message: `another output is named "${output.name}"` });
    names.add(output.name);
    const detector = problem.detectors[output.detector];
    return faults.concat(
      output.quantities.flatMap((quantity, k) => [
        ...quantityFaults(quantity, detector, problem.materials, `${path}.quantities[${k}]`),
        ...filterFaults(quantity, problem, `${path}.quantities[${k}].filter`),
        ...leptonFaults(quantity, problem, `${path}.quantities[${k}]`),
      ]),
    );
  });
}

function sizeFaults(problem: TransportProblem): Fault[] {
  const faults: Fault[] = [];
  for (const list of ['materials', 'figures', 'zones', 'detectors', 'outputs'] as const) {
    if (problem[list].length > LIST_MAX) faults.push({ path: list, message: `more than ${LIST_MAX} entries` });
  }
  let sums = 0;
  for (const output of problem.outputs) {
    const detector = problem.detectors[output.detector];
    let bins = 1;
    if (detector?.type === 'mesh') bins = detector.segments[0] * detector.segments[1] * detector.segments[2];
    if (detector?.type === 'cylinder') bins = detector.radialSegments * detector.zSegments;
    for (const { modifiers } of output.quantities) {
      sums += 2 * modifiers.reduce((product, modifier) => product * modifier.bins, bins);
    }
  }
  if (sums > SUMS_MAX) faults.push({ path: 'outputs', message: `more than ${SUMS_MAX / 2} bins in all` });
  return faults;
}

/** Everything in a problem that is wrong or not supported, each named with its place. Empty: the engine can run it. */
export function validateProblem(problem: unknown): Fault[] {
  const parsed = problemSchema.safeParse(problem);
  if (!parsed.success) return shapeFaults(parsed.error);
  const data: TransportProblem = parsed.data;
  return [
    ...beamFaults(data.beam),
    ...materialFaults(data),
    ...geometryFaults(data),
    ...detectorFaults(data),
    ...outputFaults(data),
    ...sizeFaults(data),
  ];
}

/** Everything that is wrong in a task. */
export function validateTask(task: unknown): Fault[] {
  const parsed = taskSchema.safeParse(task);
  return parsed.success ? [] : shapeFaults(parsed.error);
}

/** Types a problem that came as JSON; undefined where {@link validateProblem} finds faults. */
export function parseProblem(problem: unknown): TransportProblem | undefined {
  return validateProblem(problem).length === 0 ? problemSchema.parse(problem) : undefined;
}

/** Types a task that came as JSON; undefined where {@link validateTask} finds faults. */
export function parseTask(task: unknown): EngineTask | undefined {
  return taskSchema.safeParse(task).data;
}
