import { findMaterial, type Material } from '@tally/engine';

/** Gases are thinner, liquids, solids and even cork are denser, g/cm³. */
export const GAS_DENSITY_MAX = 0.05;

/** g/cm³, as set or the library's. Undefined: the library does not have the material. */
export const densityOf = ({ icru, densityGcm3 }: Material): number | undefined =>
  densityGcm3 ?? findMaterial(icru)?.densityGcm3;
