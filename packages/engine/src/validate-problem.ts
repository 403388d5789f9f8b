import { type Fault, shapeFaults } from './fault.js';
import { BLACK_HOLE_ICRU, findMaterial, VACUUM_ICRU } from './material-library.js';
import type { Beam, EngineTask, Output, TransportProblem } from './problem.js';
import { problemSchema, taskSchema } from './problem-schema.js';
import { quantityFaults } from './validate-quantity.js';

const CHARGE_MAX = 10;
const MASS_NUMBER_MAX = 30;
/** Limits of the beam's energy, MeV per nucleon. */
const ENERGY_MIN = 0.1;
const ENERGY_MAX = 500;
/** Most figures, materials, detectors or zones of a problem. */
const LIST_MAX = 4096;
/** Most numbers that a task adds up. */
const SUMS_MAX = 40_000_000;
const LIGHT_IONS = new Set(['1,1', '2,1', '3,1', '3,2', '4,2']);
const NOT_TRANSPORTED = /neutron|photon|gamma|electron|positron|muon|pion|kaon|anti|^(mu|pi|k|e)\s*[-+−⁻⁺0~]$|^[πμ]/i;

function particleFaults({ particle, energyMev }: Beam): Fault[] {
  const { name, z, a } = particle;
  const ion = z >= 3 && z <= CHARGE_MAX && a >= z && a <= MASS_NUMBER_MAX;
  if (NOT_TRANSPORTED.test(name) || !(LIGHT_IONS.has(`${a},${z}`) || ion)) {
    const message = `beam particle "${name}" (Z ${z}, A ${a}) is not supported; protons, d, t, ³He, ⁴He and ions of Z 3–10 are`;
    return [{ path: 'beam.particle', message }];
  }
  const perNucleon = energyMev / a;
  if (perNucleon >= ENERGY_MIN && perNucleon <= ENERGY_MAX) return [];
  const message = `${perNucleon} MeV per nucleon is outside ${ENERGY_MIN}–${ENERGY_MAX} MeV per nucleon`;
  return [{ path: 'beam.energyMev', message }];
}

function beamFaults(beam: Beam): Fault[] {
  const faults = particleFaults(beam);
  if (beam.direction.every((component) => component === 0)) {
    faults.push({ path: 'beam.direction', message: 'the direction has no length' });
  }
  const { energyMev, energySpreadMev, energyLowCutoffMev: low, energyHighCutoffMev: high } = beam;
  const reach = 4 * energySpreadMev;
  if (!(low < high)) faults.push({ path: 'beam.energyLowCutoffMev', message: 'not below the high cut-off' });
  else if (energyMev + reach < low || energyMev - reach > high) {
    faults.push({ path: 'beam.energyMev', message: `the energy lies outside the cut-offs ${low}–${high} MeV` });
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
      output.quantities.flatMap((quantity, k) =>
        quantityFaults(quantity, detector, problem.materials, `${path}.quantities[${k}]`),
      ),
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
