import { cardsOf, type SimBDeck } from './read-sim-b-deck.js';

/** A material as the deck and the simulator's own list together define it. */
export interface SimBMaterial {
  readonly densityGcm3: number;
  /** Mass fraction by charge number. */
  readonly fractions: ReadonlyMap<number, number>;
  readonly ionisationEv: number | undefined;
}

/** Elements that need no card: charge number and density (FLUKA manual, table of pre-defined materials). */
const ELEMENTS: Readonly<Record<string, readonly [number, number]>> = {
  HYDROGEN: [1, 8.37e-5],
  HELIUM: [2, 1.66e-4],
  BERYLLIU: [4, 1.848],
  CARBON: [6, 2],
  NITROGEN: [7, 1.17e-3],
  OXYGEN: [8, 1.33e-3],
  SODIUM: [11, 0.971],
  MAGNESIU: [12, 1.74],
  ALUMINUM: [13, 2.699],
  SILICON: [14, 2.329],
  ARGON: [18, 1.66e-3],
  CALCIUM: [20, 1.55],
  TITANIUM: [22, 4.54],
  IRON: [26, 7.874],
  NICKEL: [28, 8.902],
  COPPER: [29, 8.96],
  SILVER: [47, 10.5],
  TIN: [50, 7.31],
  TANTALUM: [73, 16.654],
  TUNGSTEN: [74, 19.3],
  GOLD: [79, 19.32],
  MERCURY: [80, 13.546],
  LEAD: [82, 11.35],
};
/** Compounds that need no card, with their ICRU ids and densities. */
export const COMPOUNDS: Readonly<Record<string, readonly [icru: number, densityGcm3: number]>> = {
  WATER: [276, 1],
  POLYSTYR: [226, 1.06],
  PLASCINT: [216, 1.032],
  PMMA: [223, 1.19],
  BONECOMP: [119, 1.85],
  BONECORT: [120, 1.85],
  MUSCLESK: [201, 1.04],
  MUSCLEST: [202, 1.04],
  ADTISSUE: [103, 0.92],
  KAPTON: [179, 1.42],
  POLYETHY: [221, 0.94],
  AIR: [104, 0.00120479],
};
const WITHOUT_MATTER = ['VACUUM', 'BLCKHOLE'];

export interface SimBMaterials {
  readonly materials: ReadonlyMap<string, SimBMaterial>;
  nameOfRegion(region: string): string;
  densityOfRegion(region: string): number;
}

/**
 * Puts MATERIAL, COMPOUND, MAT-PROP and ASSIGNMA together; throws at names that nothing defines, names of more than eight
 * characters and regions without a material.
 * @param fractionsOf composition of a compound of the simulator's own, by ICRU id
 */
export function readSimBMaterials(
  deck: SimBDeck,
  fractionsOf: (icru: number) => ReadonlyMap<number, number> = () => new Map(),
): SimBMaterials {
  const ionisation = new Map(cardsOf(deck, 'MAT-PROP').map(({ whats }) => [whats[3] ?? '', Number(whats[2])]));
  const own = [
    ...Object.entries(ELEMENTS).map(([name, [z, density]]) => [name, density, new Map([[z, 1]])] as const),
    ...Object.entries(COMPOUNDS).map(([name, [icru, density]]) => [name, density, fractionsOf(icru)] as const),
  ];
  const materials = new Map<string, SimBMaterial>();
  const add = (name: string, densityGcm3: number, fractions: ReadonlyMap<number, number>): void => {
    if (materials.has(name) || name.length > 8) throw new Error(`material ${name}`);
    materials.set(name, { densityGcm3, fractions, ionisationEv: ionisation.get(name) });
  };
  for (const [name, density, fractions] of own) add(name, density, fractions);
  const cards = cardsOf(deck, 'MATERIAL');
  const isCompound = (z: string | undefined): boolean => Number(z) === 0;
  for (const { whats, sdum } of cards.filter((card) => !isCompound(card.whats[0]))) {
    add(sdum, Number(whats[2]), new Map([[Number(whats[0]), 1]]));
  }
  for (const { whats, sdum } of cards.filter((card) => isCompound(card.whats[0]))) {
    add(sdum, Number(whats[2]), compose(deck, sdum, materials));
  }
  for (const name of ionisation.keys()) if (!materials.has(name)) throw new Error(`no material ${name}`);
  const assigned = new Map(cardsOf(deck, 'ASSIGNMA').map(({ whats }) => [whats[1] ?? '', whats[0] ?? '']));
  for (const region of deck.regions.keys()) if (!assigned.has(region)) throw new Error(`nothing fills ${region}`);
  const nameOfRegion = (region: string): string => assigned.get(region) ?? '';
  return {
    materials,
    nameOfRegion,
    densityOfRegion(region) {
      const name = nameOfRegion(region);
      if (WITHOUT_MATTER.includes(name)) return 0;
      const material = materials.get(name);
      if (material === undefined) throw new Error(`no material ${name}`);
      return material.densityGcm3;
    },
  };
}

/** Mass fractions by element of what all COMPOUND cards of that name mix. */
function compose(deck: SimBDeck, name: string, known: ReadonlyMap<string, SimBMaterial>): Map<number, number> {
  const fractions = new Map<number, number>();
  for (const { whats } of cardsOf(deck, 'COMPOUND').filter(({ sdum }) => sdum === name)) {
    for (const index of [0, 2, 4]) {
      const [content = '', component = ''] = whats.slice(index, index + 2);
      if (component === '') continue;
      const material = known.get(component);
      // a negative content is a mass fraction
      if (material === undefined || !(Number(content) < 0)) throw new Error(`${content} of ${component} in ${name}`);
      for (const [z, share] of material.fractions) fractions.set(z, (fractions.get(z) ?? 0) - Number(content) * share);
    }
  }
  if (fractions.size === 0 && ![...known.keys()].includes(name)) {
    const hasCards = cardsOf(deck, 'COMPOUND').some(({ sdum }) => sdum === name);
    if (!hasCards) throw new Error(`${name} has no components`);
  }
  return fractions;
}
