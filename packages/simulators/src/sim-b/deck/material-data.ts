/** An element or compound that the simulator knows without being told. */
export interface PredefinedMaterial {
  readonly name: string;
  readonly densityGcm3: number;
}

/** Elements, by charge number, with the simulator's own densities (FLUKA manual, list of pre-defined materials). */
export const PREDEFINED_ELEMENTS: ReadonlyMap<number, PredefinedMaterial> = parsePredefined(`
  1 HYDROGEN 8.37e-5  2 HELIUM 1.66e-4   4 BERYLLIU 1.848  6 CARBON 2.0      7 NITROGEN 1.17e-3  8 OXYGEN 1.33e-3
  11 SODIUM 0.971     12 MAGNESIU 1.74   13 ALUMINUM 2.699 14 SILICON 2.329  18 ARGON 1.66e-3    20 CALCIUM 1.55
  22 TITANIUM 4.54    26 IRON 7.874      28 NICKEL 8.902   29 COPPER 8.96    47 SILVER 10.5      50 TIN 7.31
  73 TANTALUM 16.654  74 TUNGSTEN 19.3   79 GOLD 19.32     80 MERCURY 13.546 82 LEAD 11.35
`);

/** Compounds, by ICRU id. */
export const PREDEFINED_COMPOUNDS: ReadonlyMap<number, PredefinedMaterial> = parsePredefined(`
  276 WATER 1.0      226 POLYSTYR 1.06 216 PLASCINT 1.032 223 PMMA 1.19    119 BONECOMP 1.85 120 BONECORT 1.85
  201 MUSCLESK 1.04  202 MUSCLEST 1.04 103 ADTISSUE 0.92  179 KAPTON 1.42  221 POLYETHY 0.94 104 AIR 0.00120479
`);

/**
 * Elements with data for neutrons below 20 MeV, by charge number: the SDUM that `LOW-MAT` takes. Thorium's is that of
 * ²³⁰Th, uranium's ²³³U, plutonium's ²³⁹Pu, americium's ²⁴¹Am.
 */
const NEUTRON_LIBRARIES: ReadonlyMap<number, string> = parseNames(`
  1 HYDROGEN 2 HELIUM 3 LITHIUM 4 BERYLLIU 5 BORON 6 CARBON 7 NITROGEN 8 OXYGEN 9 FLUORINE 10 NEON 11 SODIUM 12 MAGNESIU
  13 ALUMINUM 14 SILICON 15 PHOSPHO 16 SULFUR 17 CHLORINE 18 ARGON 19 POTASSIU 20 CALCIUM 21 SCANDIUM 22 TITANIUM
  23 VANADIUM 24 CHROMIUM 25 MANGANES 26 IRON 27 COBALT 28 NICKEL 29 COPPER 30 ZINC 31 GALLIUM 32 GERMANIU 33 ARSENIC
  35 BROMINE 36 KRYPTON 38 STRONTIU 39 YTTRIUM 40 ZIRCONIU 41 NIOBIUM 42 MOLYBDEN 43 99-TC 46 PALLADIU 47 SILVER
  48 CADMIUM 49 INDIUM 50 TIN 51 ANTIMONY 53 IODINE 54 XENON 55 CESIUM 56 BARIUM 57 LANTHANU 58 CERIUM 60 NEODYMIU
  62 SAMARIUM 63 EUROPIUM 64 GADOLINI 65 TERBIUM 71 LUTETIUM 72 HAFNIUM 73 TANTALUM 74 TUNGSTEN 75 RHENIUM 77 IRIDIUM
  78 PLATINUM 79 GOLD 80 MERCURY 82 LEAD 83 BISMUTH 90 230-TH 92 233-U 94 239-PU 95 241-AM
`);

/** Data for low-energy neutrons in an element: its own, or, where there are none, those of the nearest element. */
export function findNeutronLibrary(z: number): { readonly name: string; readonly isSubstitute: boolean } {
  const own = NEUTRON_LIBRARIES.get(z);
  if (own !== undefined) return { name: own, isSubstitute: false };
  const [nearest] = [...NEUTRON_LIBRARIES].sort(([one], [other]) => Math.abs(one - z) - Math.abs(other - z));
  return { name: nearest?.[1] ?? '', isSubstitute: true };
}

function parsePredefined(text: string): ReadonlyMap<number, PredefinedMaterial> {
  const found = [...text.matchAll(/(\d+) ([A-Z]+) ([\d.e-]+)/g)];
  return new Map(found.map(([, id, name = '', density]) => [Number(id), { name, densityGcm3: Number(density) }]));
}

function parseNames(text: string): ReadonlyMap<number, string> {
  return new Map([...text.matchAll(/(\d+) (\S+)/g)].map(([, z, name = '']) => [Number(z), name]));
}
