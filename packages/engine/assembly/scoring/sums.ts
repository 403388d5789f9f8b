// What a sum adds up, per length of path.

import { Filter } from './page';

/** The first two also take what is deposited at a point. */
export const S_ENERGY: i32 = 0;
export const S_DOSE: i32 = 1;
/** Path of all particles, and of charged ones. */
export const S_LENGTH: i32 = 2;
export const S_CHARGED_LENGTH: i32 = 3;
export const S_LOSS: i32 = 4;
export const S_LOSS_LET: i32 = 5;
export const S_LET: i32 = 6;
// from here on what changes along the step
export const S_NUCLEON_ENERGY: i32 = 7;
export const S_BETA: i32 = 8;
export const S_LOSS_Z2: i32 = 9;
export const S_Z2: i32 = 10;
export const S_LOSS_ZEFF2: i32 = 11;
export const S_ZEFF2: i32 = 12;
/** Scored at collisions of neutrons only. */
export const S_KERMA: i32 = 13;

export class Sum {
  constructor(
    public kind: i32,
    public medium: i32,
    public filter: Filter,
  ) {}
}

// what is typical at most of the primaries of a beam; more is kept as well, only not as fast
/** Loss of a proton, MeV/cm; its energy, MeV; the inverse of the square of its speed. */
const LOSS_MAX: f64 = 16;
const ENERGY_MAX: f64 = 64;
const SLOWNESS_MAX: f64 = 16;

/** What a history typically scores in a bin that is `length` cm long, of a beam of charge z. */
export function typicalScore(kind: i32, length: f64, z: f64): f64 {
  const z2 = z * z;
  const loss = LOSS_MAX * z2;
  switch (kind) {
    case S_LENGTH:
    case S_CHARGED_LENGTH:
    case S_BETA:
      return length;
    case S_LOSS_LET:
      return length * loss * loss;
    case S_NUCLEON_ENERGY:
      return length * ENERGY_MAX;
    case S_LOSS_Z2:
    case S_LOSS_ZEFF2:
      return length * loss * z2 * SLOWNESS_MAX;
    case S_Z2:
    case S_ZEFF2:
      return length * z2 * SLOWNESS_MAX;
    default:
      return length * loss;
  }
}
