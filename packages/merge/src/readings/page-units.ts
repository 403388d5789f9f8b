/** 1 MeV/g in Gy: e/C · 10⁶ · 1000 (SI Brochure 2019, exact value of e). */
const GRAY_OF_MEV_PER_GRAM = 1.602176634e-10;

/** Units that stand for each other, by quantity: LET (1 keV/µm is 10 MeV/cm) and dose, each in the first of its family. */
const FAMILIES: readonly Readonly<Record<string, number>>[] = [
  { 'MeV/cm': 1, 'keV/um': 10 },
  { Gy: 1, cGy: 1e-2, mGy: 1e-3, 'MeV/g': GRAY_OF_MEV_PER_GRAM },
];
/** What stands behind the unit of a value of one primary. */
const PER_PRIMARY = '/prim';

/** The units in which values can be asked for, as this service writes them. */
export const CHOSEN_UNITS = ['keV/um', 'MeV/cm', 'Gy', 'cGy', 'mGy', 'MeV/g'] as const;

/** Whether the values of a unit are those of one primary. */
export const isPerPrimary = (unit: string): boolean => unit.endsWith(PER_PRIMARY);

const bare = (unit: string): string => (isPerPrimary(unit) ? unit.slice(0, -PER_PRIMARY.length) : unit);

/** A unit in another one of its family, and the factor from one to the other; `/prim` stays. Undefined: they measure other things. */
export function inUnit(unit: string, wanted: string): { readonly unit: string; readonly factor: number } | undefined {
  const family = FAMILIES.find((one) => Object.hasOwn(one, bare(unit)) && Object.hasOwn(one, wanted));
  const [from, to] = [family?.[bare(unit)], family?.[wanted]];
  if (from === undefined || to === undefined) return undefined;
  return { unit: isPerPrimary(unit) ? `${wanted}${PER_PRIMARY}` : wanted, factor: from / to };
}

/** The units that values of this one can be told in, the own one among them; none: it has no others. */
export function unitsLike(unit: string): string[] {
  return CHOSEN_UNITS.filter((wanted) => inUnit(unit, wanted) !== undefined);
}
