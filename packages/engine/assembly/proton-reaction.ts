// Nuclear interactions of protons: p–p elastic, elastic on nuclei, and non-elastic with a cascade of emissions whose
// multiplicities, mean energies and energy shares follow the ICRU 63 averages (docs/engine.md).

import { PROTON_MASS } from './constants';
import { depositAt } from './deposit';
import { Material } from './material';
import { protonElasticCrossSection, protonReactionCrossSection } from './proton-cross-section';
import { azimuthCos, azimuthSin, sampleAzimuth, uniform } from './random';
import { speciesIndex } from './species';
import { ledger, popSecondary, pushAtAngle, pushSecondary, track, turn, turnedU, turnedV, turnedW } from './track';

/** Energy taken by the nucleus for each emission, MeV: leaves as excitation, goes to the neutral sink. */
const SEPARATION: f64 = 8;
/** Least energy of an emitted particle, MeV (Coulomb barrier). */
const EMISSION_MIN: f64 = 7;
/** Shares of emissions: protons, deuterons, heavier charged (deposited at once); the rest is neutral. */
const PROTON_SHARE: f64 = 0.54;
const DEUTERON_SHARE: f64 = 0.04;
const HEAVY_SHARE: f64 = 0.07;
/** Exponent of the emission spectrum at ENERGY: fitted to multiplicity and mean energy of ICRU 63. */
const SPECTRUM: StaticArray<f64> = [50, 0.5, 100, 0.45, 150, 0.45, 200, 0.45, 250, 0.4];

function spectrumExponent(energy: f64): f64 {
  const last = SPECTRUM.length / 2 - 2;
  let i = 0;
  while (i < last && SPECTRUM[2 * i + 2] < energy) i++;
  const x = Math.max(0, Math.min(1, (energy - SPECTRUM[2 * i]) / (SPECTRUM[2 * i + 2] - SPECTRUM[2 * i])));
  return SPECTRUM[2 * i + 1] + x * (SPECTRUM[2 * i + 3] - SPECTRUM[2 * i + 1]);
}

/** Momentum, MeV/c. */
export function momentum(energy: f64, mass: f64): f64 {
  return Math.sqrt(energy * (energy + 2 * mass));
}

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

/** The proton goes on; the recoil is deposited where it is struck. */
function nucleusElastic(energy: f64, z: f64, a: f64): void {
  const mass = a * 931.494;
  const oxygenMean = 0.65 * Math.exp(-0.0013 * energy) - 0.71 * Math.exp(-0.0177 * energy);
  const mean = Math.max(0.01, (oxygenMean * 16) / a);
  const sum = PROTON_MASS + mass;
  const recoilMax = (2 * mass * energy * (energy + 2 * PROTON_MASS)) / (sum * sum + 2 * mass * energy);
  const ceiling = 1 - Math.exp(-recoilMax / mean);
  const recoil = Math.min(recoilMax, -mean * Math.log(1 - uniform() * ceiling));
  const before = momentum(energy, PROTON_MASS);
  const after = momentum(energy - recoil, PROTON_MASS);
  const transfer2 = recoil * (recoil + 2 * mass);
  const cosine = (before * before + after * after - transfer2) / (2 * before * after);
  sampleAzimuth();
  turn(track.u, track.v, track.w, Math.max(-1, Math.min(1, cosine)), azimuthCos, azimuthSin);
  depositAt(recoil, z, a);
  track.energy = energy - recoil;
  track.u = turnedU;
  track.v = turnedV;
  track.w = turnedW;
}

function nonElastic(energy: f64, z: f64, a: f64): void {
  const exponent = spectrumExponent(energy);
  const proton = speciesIndex(1, 1);
  const deuteron = speciesIndex(1, 2);
  let rest = energy;
  let heavy: f64 = 0;
  while (rest - SEPARATION > EMISSION_MIN) {
    rest -= SEPARATION;
    ledger.neutral += SEPARATION;
    const emitted = Math.min(rest, EMISSION_MIN + Math.pow(uniform(), exponent) * (rest - EMISSION_MIN));
    rest -= emitted;
    const kind = uniform();
    if (kind < PROTON_SHARE + DEUTERON_SHARE) {
      const lowest = (2 * emitted) / energy - 1;
      const cosine = lowest + (1 - lowest) * uniform();
      if (!pushAtAngle(kind < PROTON_SHARE ? proton : deuteron, emitted, cosine)) heavy += emitted;
    } else if (kind < PROTON_SHARE + DEUTERON_SHARE + HEAVY_SHARE) heavy += emitted;
    else ledger.neutral += emitted;
  }
  depositAt(heavy + rest, z, a);
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
    nucleusElastic(energy, z, a);
    return true;
  }
  if (reaction == 0) return true;
  nonElastic(energy, z, a);
  return false;
}
