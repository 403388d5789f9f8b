import { DENSITY_EFFECT, PHOTOELECTRIC } from './electron-data.js';
import type { LibraryMaterial } from './material-library.js';

/** A call that completes the transport module's last material for electrons and photons. */
type ElectronCall = readonly [name: 'addDensityEffect' | 'addPhotoelectric', ...values: number[]];

/** Plasma energy of a material of 1 g/cm³ with one electron a nucleon, eV. */
const PLASMA_ENERGY_EV = 28.816;

/** Rows of `key;numbers;numbers` by their key. */
function parseRows(text: string): ReadonlyMap<number, readonly number[]> {
  const rows = text.trim().split('\n');
  return new Map(
    rows.map((row) => {
      const [key = '', ...lists] = row.split(';');
      return [Number(key), lists.flatMap((list) => list.split(' ').map(Number))];
    }),
  );
}

const densityEffects = parseRows(DENSITY_EFFECT);
const photoelectric = parseRows(PHOTOELECTRIC);

/** Parameters of a solid or liquid that is not in the table (Sternheimer and Peierls, Phys. Rev. B 3 (1971) 3681). */
function generalDensityEffect({ densityGcm3, ionisationEv, composition }: LibraryMaterial): readonly number[] {
  const zOverA = composition.reduce((sum, { z, atomicWeight, fraction }) => sum + (fraction * z) / atomicWeight, 0);
  const c = 2 * Math.log(ionisationEv / (PLASMA_ENERGY_EV * Math.sqrt(densityGcm3 * zOverA))) + 1;
  const [x1, limit, offset] = ionisationEv < 100 ? [2, 3.681, 1] : [3, 5.215, 1.5];
  const x0 = c < limit ? 0.2 : 0.326 * c - offset;
  return [ionisationEv, c, x0, x1, (c - 2 * Math.LN10 * x0) / (x1 - x0) ** 3, 3, 0];
}

/**
 * Calls that give the last material what electrons and photons need of a library material, with the density and mean
 * excitation energy in use.
 */
export function electronCalls(material: LibraryMaterial, densityGcm3: number, ionisationEv: number): ElectronCall[] {
  const [tableIonisation = 0, c = 0, ...rest] = densityEffects.get(material.icru) ?? generalDensityEffect(material);
  return [
    // C = 2 ln(I/ħω) + 1; the plasma energy of another density is a shift of x
    ['addDensityEffect', c + 2 * Math.log(ionisationEv / tableIonisation), ...rest, densityGcm3 / material.densityGcm3],
    ...material.composition.map(({ z }): ElectronCall => {
      const [edge = 0, ...coefficients] = photoelectric.get(z) ?? [];
      return ['addPhotoelectric', edge, ...Array.from({ length: 8 }, (_, i) => coefficients[i] ?? 0)];
    }),
  ];
}
