// Nuclear interactions of protons: p–p elastic, elastic on nuclei, non-elastic (nuclear-reaction.ts).

import { ATOMIC_MASS_UNIT, PROTON_MASS } from '../constants';
import { Material } from '../material/material';
import { azimuthCos, azimuthSin, sampleAzimuth, uniform } from '../random';
import { depositAt } from '../scoring/deposit';
import { speciesIndex } from '../transport/species';
import { popSecondary, pushSecondary, track, turn, turnedU, turnedV, turnedW } from '../transport/track';
import { nucleonReaction } from './nuclear-reaction';
import { momentum, scatterElastically } from './nucleus-recoil';
import { protonElasticCrossSection, protonReactionCrossSection } from './proton-cross-section';
import { releaseProducts } from './reaction-products';

function hydrogenElastic(energy: f64): void {
  const first = uniform() * energy;
  const second = energy - first;
  const total = energy + 2 * PROTON_MASS;
  const incoming = momentum(energy, PROTON_MASS);
  const cos1 = Math.min(1, (total * first) / (incoming * momentum(first, PROTON_MASS)));
  const cos2 = Math.min(1, (total * second) / (incoming * momentum(second, PROTON_MASS)));
  const proton = speciesIndex(1, 1);
  sampleAzimuth();
  const c = azimuthCos;
  const s = azimuthSin;
  turn(track.u, track.v, track.w, cos1, c, s);
  if (!pushSecondary(proton, first, turnedU, turnedV, turnedW)) depositAt(first, 1, 1);
  turn(track.u, track.v, track.w, cos2, -c, -s);
  if (!pushSecondary(proton, second, turnedU, turnedV, turnedW)) depositAt(second, 1, 1);
}

const pair = new StaticArray<f64>(8);

/** Collides a proton flying along z; see `elasticPairValue`. */
export function sampleElasticPair(energy: f64): void {
  track.u = 0;
  track.v = 0;
  track.w = 1;
  track.generation = 0;
  hydrogenElastic(energy);
  for (let i = 0; i < 2; i++) {
    popSecondary();
    const p = momentum(track.energy, PROTON_MASS);
    pair[4 * i] = track.energy;
    pair[4 * i + 1] = p * track.u;
    pair[4 * i + 2] = p * track.v;
    pair[4 * i + 3] = p * track.w;
  }
}

/** Of the last collided pair: energy, momentum x, y, z of the one and of the other. */
export function elasticPairValue(item: i32): f64 {
  return pair[item];
}

/** Energy that a nucleus takes in elastic scattering: exponential, mean of Geant4's oxygen, as 1/A. */
function recoilEnergy(energy: f64, a: f64): f64 {
  const mass = a * ATOMIC_MASS_UNIT;
  const oxygenMean = 0.65 * Math.exp(-0.0013 * energy) - 0.71 * Math.exp(-0.0177 * energy);
  const mean = Math.max(0.01, (oxygenMean * 16) / a);
  const sum = PROTON_MASS + mass;
  const most = (2 * mass * energy * (energy + 2 * PROTON_MASS)) / (sum * sum + 2 * mass * energy);
  return Math.min(most, -mean * Math.log(1 - uniform() * (1 - Math.exp(-most / mean))));
}

/** One interaction of the current proton in a material. True: the proton goes on. */
export function protonInteraction(material: Material): bool {
  const energy = track.energy;
  const proton = track.species;
  let pick = uniform() * material.nuclearSigma(proton, energy);
  let i = 0;
  for (; i < material.elementCount - 1; i++) {
    pick -= material.elementSigma(proton, i, energy);
    if (pick < 0) break;
  }
  const z = material.elementZ[i];
  const a = material.elementA[i];
  if (z == 1) {
    hydrogenElastic(energy);
    return false;
  }
  const reaction = protonReactionCrossSection(z, a, energy);
  const elastic = protonElasticCrossSection(a, energy);
  if (uniform() * (reaction + elastic) < elastic) {
    scatterElastically(PROTON_MASS, recoilEnergy(energy, a), <i32>z, <i32>Math.round(a), 0);
    return true;
  }
  if (reaction == 0) return true;
  nucleonReaction(true, energy, <i32>z, <i32>Math.round(a));
  releaseProducts(energy);
  return false;
}
