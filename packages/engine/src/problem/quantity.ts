/** What the engine scores: the editor's keywords, their codes in the transport module, units and kinds. */
export interface QuantityRule {
  readonly code: number;
  readonly kind: 'linear' | 'ratio';
  /** Divided by the volume of a bin. */
  readonly perVolume: boolean;
  /** Factor from the module's unit to `unit`. */
  readonly factor: number;
  readonly unit: string;
  /** Unit in a zone or everywhere, where no volume is known and none is divided by. */
  readonly regionUnit: string;
  /** May refer to a medium other than the local one. */
  readonly takesMedium: boolean;
}

/** 1 MeV/g in Gy. */
const GRAY_PER_MEV_G = 1.602176634e-10;

function linear(code: number, unit: string, regionUnit: string, options: Partial<QuantityRule> = {}): QuantityRule {
  return { code, kind: 'linear', perVolume: true, factor: 1, unit, regionUnit, takesMedium: false, ...options };
}

function ratio(code: number, unit: string, takesMedium = false): QuantityRule {
  return { code, kind: 'ratio', perVolume: false, factor: 1, unit, regionUnit: unit, takesMedium };
}

const DOSE = linear(1, 'MeV/g/prim', 'MeV cm^3/g/prim', { takesMedium: true });
const FLUENCE = linear(2, '/cm^2/prim', 'cm/prim');

export const SCORED_QUANTITIES: ReadonlyMap<string, QuantityRule> = new Map([
  ['Energy', linear(0, 'MeV/prim', 'MeV/prim', { perVolume: false })],
  ['Dose', DOSE],
  ['DDD', DOSE],
  ['DoseGy', linear(1, 'Gy/prim', 'Gy cm^3/prim', { takesMedium: true, factor: GRAY_PER_MEV_G })],
  ['Fluence', FLUENCE],
  ['KineticEnergySpectrum', FLUENCE],
  ['AvgEnergy', ratio(3, 'MeV/nucl')],
  ['AvgBeta', ratio(4, '1')],
  ['dLET', ratio(5, 'MeV/cm', true)],
  ['tLET', ratio(6, 'MeV/cm', true)],
  ['dZ2Beta2', ratio(7, '1')],
  ['tZ2Beta2', ratio(8, '1')],
  ['dZeff2Beta2', ratio(9, '1')],
  ['tZeff2Beta2', ratio(10, '1')],
  ['NKERMA', linear(11, 'MeV/g/prim', 'MeV cm^3/g/prim')],
]);

/** Properties of the geometry, not of particles. */
export const MAP_UNITS: ReadonlyMap<string, string> = new Map([
  ['ZONE', '1'],
  ['MATERIAL', '1'],
  ['Rho', 'g/cm^3'],
]);

/** Keywords that the editor knows and the engine refuses, with the reason. */
export const REFUSED_QUANTITIES: ReadonlyMap<string, string> = new Map([
  ['1MeVNEq', 'displacement damage is not modelled'],
  ['NEqvDose', 'quality factors are not modelled'],
  ['DoseEqv', 'quality factors are not modelled'],
  ['EqvDose', 'radiation weighting factors are not modelled'],
  ['dQ', 'quality factors are not modelled'],
  ['tQ', 'quality factors are not modelled'],
  ['dQeff', 'quality factors are not modelled'],
  ['tQeff', 'quality factors are not modelled'],
  ['Alanine', 'the response of alanine is not modelled'],
]);

/** Particle properties: codes in the transport module. */
export const MODIFIER_CODES: ReadonlyMap<string, number> = new Map([
  ['E', 0],
  ['ENUC', 1],
  ['EAMU', 2],
  ['ANGLE', 3],
  ['DEDX', 4],
  ['MDEDX', 5],
  ['Z', 6],
  ['Zeff', 7],
  ['Z2Beta2', 8],
  ['Zeff2Beta2', 9],
  ['TL', 10],
]);

export const MODIFIER_UNITS: ReadonlyMap<string, string> = new Map([
  ['E', 'MeV'],
  ['ENUC', 'MeV/nucl'],
  ['EAMU', 'MeV/amu'],
  ['ANGLE', 'deg'],
  ['DEDX', 'MeV/cm'],
  ['MDEDX', 'MeV cm^2/g'],
  ['TL', 'cm'],
]);

export const FILTER_CODES: ReadonlyMap<string, number> = new Map([
  ['E', 0],
  ['ENUC', 1],
  ['EAMU', 2],
  ['Z', 6],
  ['A', 11],
  ['AMASS', 12],
  ['AMU', 13],
  ['GEN', 14],
  ['ID', 15],
  ['NPRIM', 16],
]);

/** Charge and mass number in one number, as `kindOf` in assembly/scoring/page.ts. */
export const KIND_CODE = 17;
export const KIND_CHARGE_FACTOR = 1024;
/** In place of an operator: a further value of the rule before. */
export const ALTERNATIVE = -1;

export const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;
