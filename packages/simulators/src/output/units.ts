/** 1 MeV in J. */
const JOULE_PER_MEV = 1.602176634e-13;
const GRAM_PER_KG = 1000;

/** Units that simulators write: what they measure, and how many of the first unit of that kind they are. */
const UNITS: ReadonlyMap<string, readonly [dimension: string, factor: number]> = new Map([
  ['Gy', ['dose', 1]],
  ['mGy', ['dose', 1e-3]],
  ['MeV/g', ['dose', JOULE_PER_MEV * GRAM_PER_KG]],
  ['GeV/g', ['dose', 1e3 * JOULE_PER_MEV * GRAM_PER_KG]],
  ['Gy cm^3', ['dose in a volume', 1]],
  ['MeV cm^3/g', ['dose in a volume', JOULE_PER_MEV * GRAM_PER_KG]],
  ['MeV', ['energy', 1]],
  ['eV', ['energy', 1e-6]],
  ['keV', ['energy', 1e-3]],
  ['GeV', ['energy', 1e3]],
  ['/cm^2', ['fluence', 1]],
  ['/cm2', ['fluence', 1]],
  ['percm2', ['fluence', 1]],
  ['/mm2', ['fluence', 100]],
  ['permm2', ['fluence', 100]],
  ['/m2', ['fluence', 1e-4]],
  ['perm2', ['fluence', 1e-4]],
  ['cm', ['length', 1]],
  ['mm', ['length', 0.1]],
  ['m', ['length', 100]],
  ['um', ['length', 1e-4]],
  ['deg', ['angle', 1]],
  ['rad', ['angle', 180 / Math.PI]],
]);

/** Units of the editor's quantities, in the bins of detectors and in regions, as the built-in engine shows them. */
const KEYWORD_UNITS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Energy', ['MeV']],
  ['Dose', ['MeV/g', 'MeV cm^3/g']],
  ['DDD', ['MeV/g', 'MeV cm^3/g']],
  ['DoseGy', ['Gy', 'Gy cm^3']],
  ['Fluence', ['/cm^2', 'cm']],
  ['KineticEnergySpectrum', ['/cm^2', 'cm']],
]);

/** Units of numbers that a simulator divides by volumes, and of the same numbers times a volume in cm³. */
const VOLUME_UNITS: ReadonlyMap<string, string> = new Map([
  ['Gy', 'Gy cm^3'],
  ['MeV/g', 'MeV cm^3/g'],
  ['/cm^2', 'cm'],
]);
const PER_VOLUME = '/cm^3';

/** What a number in `from` must be multiplied by to be in `to`; `undefined` when they do not measure the same thing. */
export function convertUnit(from: string, to: string): number | undefined {
  if (from === to) return 1;
  const [source, target] = [UNITS.get(from), UNITS.get(to)];
  return source === undefined || target === undefined || source[0] !== target[0] ? undefined : source[1] / target[1];
}

/** The unit a quantity of the project is shown in and the factor to it; the simulator's own where none is known. */
export function showUnit(unit: string, keyword: string): { readonly unit: string; readonly factor: number } {
  for (const wanted of KEYWORD_UNITS.get(keyword) ?? []) {
    const factor = convertUnit(unit, wanted);
    if (factor !== undefined) return { unit: wanted, factor };
  }
  return { unit, factor: 1 };
}

/** The unit of a number in `unit` that is multiplied by a volume in cm³. */
export function timesVolume(unit: string): string {
  if (unit.endsWith(PER_VOLUME)) return unit.slice(0, -PER_VOLUME.length);
  return VOLUME_UNITS.get(unit) ?? `${unit} cm^3`;
}

/** The unit of a number in `unit` that is divided by a density in g/cm³. */
export function overDensity(unit: string): string {
  return `${unit} cm^3/g`;
}
