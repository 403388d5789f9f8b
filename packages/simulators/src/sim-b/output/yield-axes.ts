const MEV_PER_GEV = 1000;
const KINETIC_ENERGY = 1;

/** First variables of yields by their numbers (FLUKA manual, USRYIELD). */
const VARIABLES: ReadonlyMap<number, readonly [name: string, unit: string]> = new Map([
  [KINETIC_ENERGY, ['E', 'MeV']],
  [2, ['momentum', 'GeV/c']],
  [3, ['rapidity', '1']],
  [4, ['rapidity in the CMS', '1']],
  [5, ['pseudorapidity', '1']],
  [6, ['pseudorapidity in the CMS', '1']],
  [7, ['Feynman x', '1']],
  [8, ['Feynman x in the CMS', '1']],
  [9, ['transverse momentum', 'GeV/c']],
  [10, ['transverse mass', 'GeV']],
  [11, ['longitudinal momentum', 'GeV/c']],
  [12, ['longitudinal momentum in the CMS', 'GeV/c']],
  [13, ['total energy', 'GeV']],
  [14, ['polar angle', 'sr']],
  [15, ['polar angle in the CMS', 'sr']],
  [16, ['square of transverse momentum', 'GeV^2/c^2']],
  [21, ['excitation energy', 'GeV']],
  [22, ['charge', '1']],
  [24, ['polar angle', 'sr']],
  [25, ['polar angle in the CMS', 'sr']],
]);

/** Of another variable, its number: its unit is not known here. `factor`: from the file's limits to the unit. */
export function nameYieldAxis(variable: number): {
  readonly name: string;
  readonly unit: string;
  readonly factor: number;
} {
  const [name, unit] = VARIABLES.get(variable) ?? [`variable ${variable}`, '1'];
  return { name, unit, factor: variable === KINETIC_ENERGY ? MEV_PER_GEV : 1 };
}
