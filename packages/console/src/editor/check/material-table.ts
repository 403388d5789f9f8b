import type { LibraryMaterial } from '@tally/engine';
import { BASIC_MATERIALS } from '../model/blank.js';
import type { TableMaterial } from '../model/materials.js';

const SYMBOLS =
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf'.split(
    ' ',
  );
/** Names by which people look for materials, beside those of the table. */
const ALIASES: ReadonlyMap<number, string> = new Map([
  [223, 'PMMA, Lucite, Perspex'],
  [219, 'Polycarbonate, Makrolon, Lexan'],
  [222, 'Mylar'],
  [13, 'Aluminium'],
  [26, 'Iron'],
  [29, 'Copper'],
  [74, 'Tungsten'],
  [79, 'Gold'],
  [82, 'Lead'],
  [22, 'Titanium'],
  [6, 'Carbon, amorphous'],
]);
/** Names of the field's editor that are more than the words of the table. */
const EDITOR_NAMES: ReadonlyMap<number, string> = new Map([
  [104, 'AIR, DRY (NEAR SEA LEVEL)'],
  [119, 'BONE, COMPACT (ICRU)'],
  [120, 'BONE, CORTICAL (ICRP)'],
]);
const BLACK_HOLE: TableMaterial = {
  icru: 0,
  label: 'Black hole',
  name: 'BLACK HOLE',
  sanitizedName: 'blackhole',
  density: 0,
  composition: '',
};

/** The materials that can be chosen: those of the engine's table, vacuum and the black hole; the usual ones first. */
export function describeMaterials(library: readonly LibraryMaterial[]): TableMaterial[] {
  const listed = library.map(describe);
  const usual = [276, 104, 119, 120, 202, 103, 223].flatMap((icru) => listed.find((one) => one.icru === icru) ?? []);
  const basic = BASIC_MATERIALS.map((one) => ({
    ...one,
    composition: listed.find(({ icru }) => icru === one.icru)?.composition ?? '',
  }));
  const first = [...basic, ...usual, BLACK_HOLE].filter(
    (one, i, all) => all.findIndex(({ icru }) => icru === one.icru) === i,
  );
  const ids = new Set(first.map(({ icru }) => icru));
  return [...first, ...listed.filter(({ icru }) => !ids.has(icru))];
}

function describe({ icru, name, densityGcm3, composition }: LibraryMaterial): TableMaterial {
  const words = name.replaceAll('_', ' ');
  const spoken = ALIASES.get(icru) ?? words.charAt(0).toUpperCase() + words.slice(1);
  const isElement = composition.length === 1;
  return {
    icru,
    label: isElement && spoken !== words ? `${spoken} (${name})` : spoken,
    name: EDITOR_NAMES.get(icru) ?? words.toUpperCase(),
    sanitizedName: name,
    density: densityGcm3,
    composition: composition
      .map(({ z, fraction }) => `${SYMBOLS[z - 1] ?? z} ${Number((100 * fraction).toPrecision(3))} %`)
      .join(', '),
  };
}
