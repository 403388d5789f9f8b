// What a reaction sets free goes on the stack.

import { NEUTRON } from '../transport/species';
import { ledger, pushSecondary, track, turnBy, turnedU, turnedV, turnedW } from '../transport/track';
import { productA, productCosine, productCount, productEnergy, productZ } from './nuclear-reaction';
import { releaseNucleus } from './nucleus-recoil';

let followNeutrons: bool = true;

export function setNeutrons(follow: bool): void {
  followNeutrons = follow;
}

export function areNeutronsFollowed(): bool {
  return followNeutrons;
}

/** Sets a neutron free in the turned direction; false where none are followed. */
export function releaseNeutron(energy: f64): bool {
  return followNeutrons && pushSecondary(NEUTRON, energy, turnedU, turnedV, turnedW);
}

/** Sends the products of the last reaction on their way; what they do not have of `energy` is neutral. Returns what is charged. */
export function releaseProducts(energy: f64): f64 {
  let charged: f64 = 0;
  let rest = energy;
  for (let i = 0; i < productCount; i++) {
    turnBy(track.u, track.v, track.w, productCosine(i, 0), productCosine(i, 1), productCosine(i, 2));
    if (productZ[i] == 0) {
      if (releaseNeutron(productEnergy[i])) rest -= productEnergy[i];
      continue;
    }
    rest -= productEnergy[i];
    charged += productEnergy[i];
    releaseNucleus(productZ[i], productA[i], productEnergy[i]);
  }
  ledger.neutral += rest;
  return charged;
}
