// Neutrons: straight flights between collisions, down to a thermal group. docs/engine.md, "Neutrons".

import { ATOMIC_MASS_UNIT, FAR, NEUTRON_MASS } from '../constants';
import { distanceToSurface, locate, OUTSIDE, overshoot, zoneMaterial } from '../geometry/geometry';
import { KIND_BLACK_HOLE } from '../material/composition';
import { Material, NEUTRON_ABSORBED, NEUTRON_ELASTIC } from '../material/material';
import { azimuthCos, azimuthSin, exponential, sampleAzimuth, uniform } from '../random';
import { depositAt } from '../scoring/deposit';
import { beginStep } from '../scoring/step';
import { scoreKerma, scoreSegment, scoresNeutrons } from '../scoring/tally';
import { Species } from '../transport/species';
import { ledger, track, turn, turnBy, turnedU, turnedV, turnedW } from '../transport/track';
import { nucleonReaction } from './nuclear-reaction';
import { releaseNucleus, scatterElastically } from './nucleus-recoil';
import { releaseProducts } from './reaction-products';

/** Below this energy a neutron is of the thermal group, MeV, whose energy is THERMAL. */
const THERMAL_BELOW: f64 = 1e-6;
const THERMAL: f64 = 2.53e-8;
/** Recoils below this energy are deposited where they are struck, MeV: their range is below a micrometre of water. */
const RECOIL_MIN: f64 = 0.05;
/** ħc, MeV fm; radius of a nucleus, fm, per cube root of its mass number. */
const HBAR_C: f64 = 197.327;
const RADIUS: f64 = 1.3;
const COLLISIONS_MAX: i32 = 100000;

/** n–p: isotropic in the centre of mass at low energy, 1 + b·cos² above (b = 2 at 90 MeV). */
function hydrogenCosine(energy: f64): f64 {
  const b = Math.min(3, 2 * (energy / 90) * (energy / 90));
  while (true) {
    const c = 2 * uniform() - 1;
    if (uniform() * (1 + b) <= 1 + b * c * c) return c;
  }
}

/** Recoil energy of elastic scattering: diffraction, exponential in the squared momentum transfer; isotropic at low energy. */
function recoilEnergy(energy: f64, a: f64): f64 {
  const nucleus = a * ATOMIC_MASS_UNIT;
  const sum = NEUTRON_MASS + nucleus;
  const most = (2 * nucleus * energy * (energy + 2 * NEUTRON_MASS)) / (sum * sum + 2 * nucleus * energy);
  const radius = RADIUS * Math.cbrt(a);
  const mean = (4 * HBAR_C * HBAR_C) / (radius * radius * 2 * nucleus);
  return Math.min(most, -mean * Math.log(1 - uniform() * (1 - Math.exp(-most / mean))));
}

function turnIsotropically(): void {
  sampleAzimuth();
  turn(track.u, track.v, track.w, 2 * uniform() - 1, azimuthCos, azimuthSin);
}

/** Absorption of a slow neutron: photons leave; lithium-6, boron-10 and nitrogen-14 give charged particles. */
function absorb(z: i32): void {
  ledger.neutral += track.energy;
  turnIsotropically();
  const u = turnedU;
  const v = turnedV;
  const w = turnedW;
  let released: f64 = 0;
  if (z == 3) {
    releaseNucleus(1, 3, 2.73);
    turnBy(u, v, w, 0, 0, -1);
    releaseNucleus(2, 4, 2.05);
    released = 4.78;
  } else if (z == 5) {
    releaseNucleus(2, 4, 1.47);
    turnBy(u, v, w, 0, 0, -1);
    releaseNucleus(3, 7, 0.84);
    released = 2.31;
  } else if (z == 7 && uniform() < 0.96) {
    releaseNucleus(1, 1, 0.584);
    turnBy(u, v, w, 0, 0, -1);
    releaseNucleus(6, 14, 0.042);
    released = 0.626;
  }
  ledger.neutral -= released;
  if (released > 0) scoreKerma(released);
}

/** One collision. False: the neutron has ended. */
function collide(material: Material): bool {
  const energy = track.energy;
  const process = material.pickNeutronProcess(energy);
  const z = <i32>material.elementZ[material.pickedElement];
  const a = <i32>Math.round(material.elementA[material.pickedElement]);
  if (process == NEUTRON_ABSORBED) {
    absorb(z);
    return false;
  }
  if (energy <= THERMAL) {
    turnIsotropically();
    track.u = turnedU;
    track.v = turnedV;
    track.w = turnedW;
    return true;
  }
  if (process == NEUTRON_ELASTIC) {
    const recoil = z == 1 ? 0.5 * energy * (1 - hydrogenCosine(energy)) : recoilEnergy(energy, <f64>a);
    scoreKerma(recoil);
    scatterElastically(NEUTRON_MASS, recoil, z, a, RECOIL_MIN);
    return true;
  }
  ledger.interactions++;
  nucleonReaction(false, energy, z, a);
  scoreKerma(releaseProducts(energy));
  return false;
}

/** Transports the current neutron to its end; what it sets free goes on the stack. */
export function transportNeutron(particle: Species): void {
  const t = track;
  let budget = exponential();
  for (let collisions = 0; collisions < COLLISIONS_MAX; ) {
    ledger.steps++;
    if (t.energy < THERMAL_BELOW && t.energy != THERMAL) {
      // what is slower takes its energy from the medium: a reaction may leave a neutron at rest
      if (t.energy > THERMAL) depositAt(t.energy - THERMAL, 0, 1);
      else ledger.neutral -= THERMAL - t.energy;
      t.energy = THERMAL;
    }
    const material = zoneMaterial(t.zone);
    const sigma = material.isMatter() ? material.neutronSigma(t.energy) * material.density : 0;
    const wanted = sigma > 0 ? budget / sigma : FAR;
    const surface = distanceToSurface(t.x, t.y, t.z, t.u, t.v, t.w, wanted + overshoot);
    if (surface >= FAR && wanted >= FAR) break;
    const crosses = surface < wanted + overshoot;
    const length = crosses ? surface + overshoot : wanted;
    if (scoresNeutrons) {
      beginStep(particle, t.generation, t.history, t.energy, t.energy, 0, length, t.length, material);
      scoreSegment(t.x, t.y, t.z, t.u, t.v, t.w, length, 0, t.zone);
    }
    t.x += length * t.u;
    t.y += length * t.v;
    t.z += length * t.w;
    t.length += length;
    if (crosses) {
      budget = Math.max(0, budget - length * sigma);
      t.zone = locate(t.x, t.y, t.z);
      if (t.zone != OUTSIDE && zoneMaterial(t.zone).kind != KIND_BLACK_HOLE) continue;
      ledger.escaped += t.energy;
      return;
    }
    collisions++;
    if (!collide(material)) return;
    budget = exponential();
  }
  ledger.lost++;
  ledger.lostEnergy += t.energy;
}
