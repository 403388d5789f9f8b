import { unreachable } from '../src/problem/filter-reach.js';
import { LEPTONS } from '../src/problem/lepton.js';
import type {
  BooleanMode,
  Detector,
  Figure,
  Modifier,
  Output,
  Quantity,
  TransportProblem,
  Vector,
  Zone,
} from '../src/problem/problem.js';

/** A fixed sequence of choices. */
export class Choices {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2654435761 + 12345) % 2147483647 || 1;
    for (let i = 0; i < 5; i++) this.next();
  }

  next(): number {
    this.state = (this.state * 48271) % 2147483647;
    return this.state / 2147483647;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  integer(low: number, high: number): number {
    return Math.min(high, Math.floor(this.between(low, high + 1)));
  }

  of<T>(list: readonly T[]): T {
    const item = list[this.integer(0, list.length - 1)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  vector(size: number): Vector {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
  }
}

const PARTICLES: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 3],
  [2, 4],
  [3, 7],
  [4, 9],
  [5, 11],
  [6, 12],
  [7, 14],
  [8, 16],
  [9, 19],
  [10, 20],
  [6, 14],
];
const MATERIALS = [276, 276, 104, 223, 13, 29, 82, 119, 1, 74, 179, 170, 906, 1000, 0];
const LINEAR = ['Dose', 'DoseGy', 'Energy', 'Fluence', 'DDD'];
const RATIO = ['AvgEnergy', 'AvgBeta', 'dLET', 'tLET', 'dZ2Beta2', 'tZ2Beta2', 'dZeff2Beta2', 'tZeff2Beta2'];
const AXES = ['E', 'ENUC', 'EAMU', 'ANGLE', 'DEDX', 'MDEDX', 'Z', 'Zeff', 'Z2Beta2', 'Zeff2Beta2', 'TL'];
const FILTERS = ['A', 'Z', 'E', 'ENUC', 'EAMU', 'AMASS', 'AMU', 'GEN', 'ID', 'NPRIM'] as const;

function figure(choices: Choices, index: number): Figure {
  const size = () => choices.between(0.2, 5);
  const shapes = [
    () => ({ type: 'box' as const, sizeCm: [size(), size(), size()] as const }),
    () => {
      const radiusCm = size();
      return {
        type: 'cylinder' as const,
        innerRadiusCm: choices.next() < 0.5 ? 0 : radiusCm * choices.between(0.1, 0.9),
        radiusCm,
        depthCm: size(),
      };
    },
    () => ({ type: 'sphere' as const, radiusCm: size() }),
  ];
  const rotated = choices.next() < 0.5;
  // a few figures share faces or centres on purpose
  const centerCm: Vector = choices.next() < 0.3 ? [0, 0, choices.integer(-3, 3)] : choices.vector(5);
  return {
    name: `figure ${index}`,
    shape: choices.of(shapes)(),
    centerCm,
    rotationDeg: rotated ? choices.vector(180) : [0, 0, 0],
  };
}

function zone(choices: Choices, index: number, figures: number, materials: number): Zone {
  const operation = (mode: BooleanMode) => ({ mode, figure: choices.integer(0, figures - 1) });
  const terms = Array.from({ length: choices.integer(1, 3) }, () => [
    operation('union'),
    ...Array.from({ length: choices.integer(0, 3) }, () =>
      operation(choices.of(['union', 'intersection', 'subtraction', 'reverse-subtraction'])),
    ),
  ]);
  return { name: `zone ${index}`, material: choices.integer(0, materials - 1), terms };
}

function detector(choices: Choices, index: number, zones: number): Detector {
  const name = `detector ${index}`;
  const size = () => choices.between(0.1, 8);
  const segments = () => choices.integer(1, 8);
  return choices.of<() => Detector>([
    () => ({
      type: 'mesh',
      name,
      centerCm: choices.vector(4),
      sizeCm: [size(), size(), size()],
      segments: [segments(), segments(), segments()],
    }),
    () => {
      const radiusCm = size();
      return {
        type: 'cylinder',
        name,
        centerCm: choices.vector(3),
        innerRadiusCm: choices.next() < 0.5 ? 0 : radiusCm / 3,
        radiusCm,
        depthCm: size(),
        radialSegments: segments(),
        zSegments: segments(),
      };
    },
    () => ({ type: 'zone', name, zone: choices.integer(0, zones) }),
    () => ({ type: 'all', name }),
  ])();
}

function modifier(choices: Choices): Modifier {
  const log = choices.next() < 0.4;
  const lower = log ? choices.between(0.01, 1) : choices.between(-1, 5);
  return { type: choices.of(AXES), lower, upper: lower + choices.between(1, 300), bins: choices.integer(1, 6), log };
}

function output(choices: Choices, index: number, detectors: number): Output {
  const quantities = Array.from({ length: choices.integer(1, 3) }, (_, i) => {
    const keyword = choices.of(choices.next() < 0.5 ? LINEAR : RATIO);
    const modifiers = Array.from({ length: choices.integer(0, 2) }, () => modifier(choices));
    const rules = Array.from({ length: choices.integer(0, 2) }, () => ({
      keyword: choices.of(FILTERS),
      operator: choices.of(['==', '!=', '<', '<=', '>', '>='] as const),
      value: choices.integer(0, 20),
    }));
    const filter = rules.length > 0 ? { filter: { name: 'filter', rules } } : {};
    const material =
      ['Dose', 'DoseGy', 'dLET', 'tLET'].includes(keyword) && choices.next() < 0.3 ? { material: 0 } : {};
    return { name: `${keyword} ${i}`, keyword, modifiers, scale: 1, ...filter, ...material };
  });
  return { name: `output ${index}`, detector: choices.integer(0, detectors - 1), quantities };
}

function withoutEmptyFilter(quantity: Quantity, problem: TransportProblem): Quantity {
  const { filter: _, ...unfiltered } = quantity;
  return unreachable(quantity, problem) === undefined ? quantity : unfiltered;
}

/** Every so many problems the beam is of electrons, positrons or photons. */
const LEPTONS_EVERY = 6;
/** What is per nucleon, and what stands in its place where there is none. */
const WITHOUT_NUCLEONS: Readonly<Record<string, string>> = { AvgEnergy: 'Fluence', ENUC: 'E', EAMU: 'E' };

/** The problem with a beam of electrons, positrons or photons. */
function withLeptons(problem: TransportProblem, seed: number): TransportProblem {
  const choices = new Choices(seed + 1e6);
  const { name, z, a, energyMinMev, energyMaxMev } = choices.of(LEPTONS);
  const energyMev = choices.between(energyMinMev, energyMaxMev);
  const energySpreadMev = choices.next() < 0.5 ? 0 : energyMev * 0.02;
  const possible = <Keyword extends string>(keyword: Keyword) => (WITHOUT_NUCLEONS[keyword] ?? keyword) as Keyword;
  const quantity = ({ filter, ...others }: Quantity): Quantity => ({
    ...others,
    keyword: possible(others.keyword),
    modifiers: others.modifiers.map((axis) => ({ ...axis, type: possible(axis.type) })),
    ...(filter && {
      filter: { ...filter, rules: filter.rules.map((rule) => ({ ...rule, keyword: possible(rule.keyword) })) },
    }),
  });
  return {
    ...problem,
    beam: { ...problem.beam, particle: { name, z, a }, energyMev, energySpreadMev },
    outputs: problem.outputs.map((output) => ({ ...output, quantities: output.quantities.map(quantity) })),
  };
}

/** A valid problem of up to 20 zones, the same for the same seed. */
export function randomProblem(seed: number): TransportProblem {
  const drawn = drawProblem(seed);
  const problem = seed % LEPTONS_EVERY === 0 ? withLeptons(drawn, seed) : drawn;
  const outputs = problem.outputs.map((output) => ({
    ...output,
    quantities: output.quantities.map((quantity) => withoutEmptyFilter(quantity, problem)),
  }));
  return { ...problem, outputs };
}

function drawProblem(seed: number): TransportProblem {
  const choices = new Choices(seed);
  const [z, a] = choices.of(PARTICLES);
  const energyMev = a * choices.between(1, 250);
  const figures = Array.from({ length: choices.integer(1, 15) }, (_, i) => figure(choices, i));
  const materials = [276, ...Array.from({ length: choices.integer(1, 5) }, () => choices.of(MATERIALS))].map(
    (icru) => ({
      name: `material ${icru}`,
      icru,
      ...(choices.next() < 0.2 ? { densityGcm3: choices.between(0.1, 3) } : {}),
    }),
  );
  const zones = Array.from({ length: choices.integer(0, 20) }, (_, i) =>
    zone(choices, i, figures.length, materials.length),
  );
  const detectors = Array.from({ length: choices.integer(1, 4) }, (_, i) => detector(choices, i, zones.length));
  const spread = choices.next() < 0.5 ? 0 : energyMev * 0.02;
  return {
    version: 1,
    title: `random ${seed}`,
    beam: {
      particle: { name: `Z ${z}`, z, a },
      positionCm: choices.vector(6),
      direction: choices.vector(1),
      energyMev,
      energySpreadMev: spread,
      energyLowCutoffMev: 0,
      energyHighCutoffMev: 1e5,
      shape: choices.of([
        { type: 'gaussian', sigmaXCm: choices.between(0, 1), sigmaYCm: choices.between(0, 1) },
        { type: 'flat-square', halfXCm: 1, halfYCm: 0.5 },
        { type: 'flat-circular', radiusCm: 1 },
      ] as const),
      divergence: {
        xMrad: choices.integer(0, 20),
        yMrad: choices.integer(0, 20),
        distanceToFocalCm: choices.integer(0, 50),
      },
      ...(choices.next() < 0.3 ? { sad: { xCm: 200, yCm: 250 } } : {}),
    },
    physics: {
      energyLossFraction: choices.between(0.01, 0.1),
      straggling: choices.of(['none', 'gaussian', 'vavilov']),
      scattering: choices.of(['none', 'gaussian', 'moliere']),
      nuclearReactions: choices.next() < 0.8,
      stoppingPowerTable: choices.of(['icru49', 'icru90']),
    },
    materials,
    figures: [
      ...figures,
      {
        name: 'world',
        shape: choices.of([
          { type: 'box', sizeCm: [20, 20, 20] },
          { type: 'sphere', radiusCm: 11 },
        ] as const),
        centerCm: [0, 0, 0],
        rotationDeg: [0, 0, 0],
      },
    ],
    zones,
    world: { figure: figures.length, material: choices.integer(0, materials.length - 1) },
    detectors,
    outputs: Array.from({ length: choices.integer(1, 4) }, (_, i) => output(choices, i, detectors.length)),
  };
}
