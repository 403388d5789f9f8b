import { electronCalls } from '../material/electron-material.js';
import { BLACK_HOLE_ICRU, findMaterial, ionisationEv, VACUUM_ICRU, WATER_ICRU } from '../material/material-library.js';
import { isTabulated, slowStoppingCalls } from '../material/slow-stopping.js';
import { findLepton } from '../problem/lepton.js';
import type {
  Beam,
  Detector,
  Figure,
  Material,
  Quantity,
  Spot,
  StoppingPowerTable,
  TransportProblem,
} from '../problem/problem.js';
import {
  ALTERNATIVE,
  FILTER_CODES,
  KIND_CHARGE_FACTOR,
  KIND_CODE,
  MODIFIER_CODES,
  OPERATORS,
  SCORED_QUANTITIES,
} from '../problem/quantity.js';
import { type LinearFactors, layoutPages } from '../scoring/page-layout.js';
import { createTransportModule, type TransportModule } from './transport-module.js';

/** One call that sets up the transport module: a function's name and its numbers. A list of them can go to any thread. */
export type SetupCall = readonly [name: string, ...values: number[]];

/** Where the slow stopping powers give way to Bethe's formula, MeV of a proton: tables of a material, Bragg sums. */
const TABLE_END_MEV = 2;
const BRAGG_END_MEV = 0.7;
const KIND = { vacuum: 0, blackHole: 1, compound: 2, element: 3, water: 4 };
const BOOLEAN_CODES = { union: 0, intersection: 1, subtraction: 2, 'reverse-subtraction': 3 };
const STRAGGLING_CODES = { none: 0, gaussian: 1, vavilov: 2 };
const SCATTERING_CODES = { none: 0, gaussian: 1, moliere: 2 };

/**
 * Calls that add a material, with the composition and, where the problem says nothing, the constants of the library; `forElectrons`: with what
 * electrons and photons need.
 */
export function materialCalls(material: Material, defaultTable: StoppingPowerTable, forElectrons = false): SetupCall[] {
  if (material.icru === VACUUM_ICRU) return [['addMaterial', KIND.vacuum, 0, 0, 0, 0]];
  if (material.icru === BLACK_HOLE_ICRU) return [['addMaterial', KIND.blackHole, 0, 0, 0, 0]];
  const library = findMaterial(material.icru);
  if (library === undefined) throw new Error(`Material ${material.icru} is not in the library.`);
  const pure = library.composition.length === 1 ? KIND.element : KIND.compound;
  const kind = library.icru === WATER_ICRU ? KIND.water : pure;
  const table = material.stoppingPowerTable ?? defaultTable;
  const density = material.densityGcm3 ?? library.densityGcm3;
  const libraryIonisation = ionisationEv(library, table);
  const ionisation = material.ionisationEv ?? libraryIonisation;
  const slowEnd = isTabulated(library) ? TABLE_END_MEV : BRAGG_END_MEV;
  return [
    ['addMaterial', kind, density, ionisation, libraryIonisation, slowEnd],
    ...library.composition.map(({ z, atomicWeight, fraction }): SetupCall => ['addElement', z, atomicWeight, fraction]),
    ...(forElectrons ? electronCalls(library, density, ionisation) : slowStoppingCalls(library, table)),
  ];
}

function figureCall({ shape, centerCm, rotationDeg }: Figure): SetupCall {
  const place = [...centerCm, ...rotationDeg];
  switch (shape.type) {
    case 'box':
      return ['addFigure', 0, ...shape.sizeCm.map((size) => size / 2), ...place];
    case 'cylinder':
      return ['addFigure', 1, shape.innerRadiusCm, shape.radiusCm, shape.depthCm / 2, ...place];
    case 'sphere':
      return ['addFigure', 2, shape.radiusCm, 0, 0, ...place];
  }
}

/** Those of figures, zones and world. */
export function geometryCalls(problem: Pick<TransportProblem, 'figures' | 'zones' | 'world'>): SetupCall[] {
  const calls: SetupCall[] = problem.figures.map(figureCall);
  for (const zone of problem.zones) {
    calls.push(['addZone', zone.material]);
    for (const term of zone.terms) {
      calls.push(
        ['addTerm'],
        ...term.map(({ mode, figure }): SetupCall => ['addOperation', BOOLEAN_CODES[mode], figure]),
      );
    }
  }
  calls.push(['setWorld', problem.world.figure, problem.world.material]);
  return calls;
}

function spotCall({ shape, positionCm }: Beam): SetupCall {
  switch (shape.type) {
    case 'gaussian':
      return ['setSpot', 0, shape.sigmaXCm, shape.sigmaYCm, ...positionCm];
    case 'flat-square':
      return ['setSpot', 1, shape.halfXCm, shape.halfYCm, ...positionCm];
    case 'flat-circular':
      return ['setSpot', 2, shape.radiusCm, 0, ...positionCm];
  }
}

function spotListCall(spot: Spot): SetupCall {
  const { energyMev, energySpreadMev, xCm, yCm, sigmaXCm, sigmaYCm, divergenceXMrad, divergenceYMrad, weight } = spot;
  return [
    'addSpot',
    energyMev,
    energySpreadMev,
    xCm,
    yCm,
    sigmaXCm,
    sigmaYCm,
    divergenceXMrad,
    divergenceYMrad,
    weight,
  ];
}

function beamCalls(beam: Beam): SetupCall[] {
  const { particle, divergence, sad } = beam;
  const energies = [beam.energyMev, beam.energySpreadMev, beam.energyLowCutoffMev, beam.energyHighCutoffMev];
  const sources = sad === undefined ? [0, 0] : [1 / sad.xCm, 1 / sad.yCm];
  return [
    ['setBeam', particle.z, particle.a, ...energies],
    spotCall(beam),
    ['setDirection', ...beam.direction],
    ...(beam.spots ?? []).map(spotListCall),
    ['setOptics', divergence.xMrad, divergence.yMrad, divergence.distanceToFocalCm, ...sources],
  ];
}

function detectorCall(detector: Detector): SetupCall {
  switch (detector.type) {
    case 'mesh': {
      const [x, y, z] = detector.centerCm;
      const [width, height, depth] = detector.sizeCm;
      const corner = [x - width / 2, y - height / 2, z - depth / 2];
      return ['addMesh', ...corner, width, height, depth, ...detector.segments];
    }
    case 'cylinder': {
      const [x, y, z] = detector.centerCm;
      const { innerRadiusCm, radiusCm, depthCm, radialSegments, zSegments } = detector;
      return ['addCylinder', x, y, z - depthCm / 2, innerRadiusCm, radiusCm, depthCm, radialSegments, zSegments];
    }
    case 'zone':
      return ['addRegion', detector.zone];
    case 'all':
      return ['addRegion', -1];
  }
}

/** Where factors are the same in all bins, they are told once. */
function factorCalls({ first, differential }: LinearFactors): SetupCall[] {
  const [firsts, differentials] = [first, differential].map((factors) =>
    factors.every((factor) => factor === factors[0]) ? factors.subarray(0, 1) : factors,
  );
  return [
    ...Array.from(firsts ?? [], (factor): SetupCall => ['addFirstFactor', factor]),
    ...Array.from(differentials ?? [], (factor): SetupCall => ['addDifferentialFactor', factor]),
  ];
}

function pageCalls(detector: number, quantity: Quantity, factors: LinearFactors | undefined): SetupCall[] {
  const rule = SCORED_QUANTITIES.get(quantity.keyword);
  // maps are not scored
  if (rule === undefined) return [];
  const calls: SetupCall[] = [['addPage', detector, rule.code, quantity.material ?? -1]];
  for (const { type, lower, upper, bins, log } of quantity.modifiers) {
    calls.push(['addModifier', MODIFIER_CODES.get(type) ?? -1, lower, upper, bins, log ? 1 : 0]);
  }
  for (const { keyword, operator, value } of quantity.filter?.rules ?? []) {
    calls.push(['addRule', FILTER_CODES.get(keyword) ?? -1, OPERATORS.indexOf(operator), value]);
  }
  const [kind, ...others] = (quantity.filter?.kinds ?? []).map(({ z, a }) => z * KIND_CHARGE_FACTOR + a);
  if (kind !== undefined) {
    calls.push(['addRule', KIND_CODE, OPERATORS.indexOf('=='), kind]);
    calls.push(...others.map((other): SetupCall => ['addRule', KIND_CODE, ALTERNATIVE, other]));
  }
  if (factors !== undefined) calls.push(...factorCalls(factors));
  return calls;
}

/** The calls that set up a valid problem, `prepare` excluded. */
export function setupCalls(problem: TransportProblem): SetupCall[] {
  const { energyLossFraction, straggling, scattering, nuclearReactions, neutrons, stoppingPowerTable } =
    problem.physics;
  const layouts = layoutPages(problem);
  const isLepton = findLepton(problem.beam.particle) !== undefined;
  return [
    ...problem.materials.flatMap((material) => materialCalls(material, stoppingPowerTable, isLepton)),
    ...geometryCalls(problem),
    [
      'setPhysics',
      energyLossFraction,
      STRAGGLING_CODES[straggling],
      SCATTERING_CODES[scattering],
      nuclearReactions ? 1 : 0,
      neutrons === false ? 0 : 1,
    ],
    ...beamCalls(problem.beam),
    ...problem.detectors.map(detectorCall),
    ...problem.outputs
      .flatMap(({ detector, quantities }) => quantities.map((quantity) => ({ detector, quantity })))
      .flatMap(({ detector, quantity }, page) => pageCalls(detector, quantity, layouts[page]?.factors)),
  ];
}

/** A module set up for a problem, for questions that need no simulation. */
export function loadTransportModule(calls: readonly SetupCall[]): TransportModule {
  const module = createTransportModule();
  makeCalls(module, calls);
  return module;
}

export function makeCalls(module: TransportModule, calls: readonly SetupCall[]): void {
  for (const [name, ...values] of calls) module.call(name, ...values);
}
