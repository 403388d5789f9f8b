// Electrons, positrons and photons among the particles: added where the beam is of them.

import { ELECTRON_MASS, PROTON_MASS } from '../constants';
import { Species, species } from '../transport/species';

/** Place of electrons in a material's tables, which are of energies of their own. */
export const ELECTRON_TABLE: i32 = 0;
/** Charge beyond any slowness: electrons have no effective charge. */
const BARE: f64 = 1e9;
/** A photon has the speed of a proton of this many times its energy. */
const FAST: f64 = 1e9;
const ELECTRON_ID: i32 = 26;
/** The lists of decks have no number of positrons and photons that all agree on. */
const OTHER_ID: i32 = 25;

export let ELECTRON: i32 = -1;
export let POSITRON: i32 = -1;
export let PHOTON: i32 = -1;

function addLepton(charge: i32, mass: f64, speedFactor: f64, id: i32): i32 {
  const index = species.length;
  const lepton = new Species(index, charge, 0, mass, 1, id, ELECTRON_TABLE);
  lepton.speedFactor = speedFactor;
  lepton.slowness = BARE;
  lepton.inverseA = 0;
  if (mass == 0) lepton.inverseMass = 0;
  species.push(lepton);
  return index;
}

/** Index of the electron (charge −1), the positron (1) or the photon (0). */
export function leptonSpecies(charge: i32): i32 {
  if (ELECTRON < 0) {
    ELECTRON = addLepton(-1, ELECTRON_MASS, PROTON_MASS / ELECTRON_MASS, ELECTRON_ID);
    POSITRON = addLepton(1, ELECTRON_MASS, PROTON_MASS / ELECTRON_MASS, OTHER_ID);
    PHOTON = addLepton(0, 0, FAST, OTHER_ID);
  }
  return charge < 0 ? ELECTRON : charge > 0 ? POSITRON : PHOTON;
}
