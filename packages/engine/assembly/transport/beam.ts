// Samples a primary: energy within the cut-offs, position in the spot, direction with divergence or SAD.

import { leptonSpecies } from '../electron/lepton';
import { GRID_HIGH } from '../material/range-table';
import { azimuthCos, azimuthSin, normal, sampleAzimuth, uniform } from '../random';
import { requireSpecies, species } from './species';

export const SHAPE_GAUSSIAN: i32 = 0;
export const SHAPE_SQUARE: i32 = 1;
export const SHAPE_CIRCLE: i32 = 2;

export let primarySpecies: i32 = 0;
let energy: f64 = 0;
let spread: f64 = 0;
let lowCut: f64 = 0;
let highCut: f64 = 0;
let shape: i32 = 0;
let sizeX: f64 = 0;
let sizeY: f64 = 0;
let divergenceX: f64 = 0;
let divergenceY: f64 = 0;
let focalDistance: f64 = 0;
let inverseSadX: f64 = 0;
let inverseSadY: f64 = 0;
let startX: f64 = 0;
let startY: f64 = 0;
let startZ: f64 = 0;
// beam frame: e1, e2 across, e3 along the beam
const frame = new StaticArray<f64>(9);

/** Numbers of a spot: energy, spread (MeV), offset x, y, sigma x, y (cm), divergence x, y (rad), weight up to and with it. */
const SPOT: i32 = 9;
const spots = new Array<f64>();

/** Adds a Gaussian spot at an offset across the beam; divergence mrad (σ). Primaries are shared out by weight. */
export function addBeamSpot(
  mean: f64,
  sigma: f64,
  x: f64,
  y: f64,
  sigmaX: f64,
  sigmaY: f64,
  mradX: f64,
  mradY: f64,
  weight: f64,
): void {
  const before = spots.length > 0 ? spots[spots.length - 1] : 0;
  spots.push(mean);
  spots.push(sigma);
  spots.push(x);
  spots.push(y);
  spots.push(sigmaX);
  spots.push(sigmaY);
  spots.push(mradX * 1e-3);
  spots.push(mradY * 1e-3);
  spots.push(before + weight);
}

/** First number of the spot that a primary belongs to. */
function pickSpot(): i32 {
  const wanted = uniform() * spots[spots.length - 1];
  let low = 0;
  let high = spots.length / SPOT - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spots[middle * SPOT + SPOT - 1] > wanted) high = middle;
    else low = middle + 1;
  }
  return low * SPOT;
}

// the sampled primary
export let primaryEnergy: f64 = 0;
export let primaryX: f64 = 0;
export let primaryY: f64 = 0;
export let primaryZ: f64 = 0;
export let primaryU: f64 = 0;
export let primaryV: f64 = 0;
export let primaryW: f64 = 1;

export function setBeamEnergy(z: i32, a: i32, mean: f64, sigma: f64, low: f64, high: f64): void {
  primarySpecies = a == 0 ? leptonSpecies(z) : requireSpecies(z, a);
  energy = mean;
  spread = sigma;
  const limit = (GRID_HIGH * 0.999) / species[primarySpecies].toProton;
  lowCut = Math.max(low, 1e-3);
  highCut = Math.min(high, limit);
}

export function setBeamSpot(kind: i32, x: f64, y: f64, px: f64, py: f64, pz: f64): void {
  shape = kind;
  sizeX = x;
  sizeY = y;
  startX = px;
  startY = py;
  startZ = pz;
}

/** Divergence in mrad (Gaussian sigma), focal distance cm; inverse SAD 1/cm (0: parallel). */
export function setBeamOptics(mradX: f64, mradY: f64, focal: f64, sadX: f64, sadY: f64): void {
  divergenceX = mradX * 1e-3;
  divergenceY = mradY * 1e-3;
  focalDistance = focal;
  inverseSadX = sadX;
  inverseSadY = sadY;
}

/** Turns z into the given direction by the shortest way. */
export function setBeamDirection(x: f64, y: f64, z: f64): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  const u = x / length;
  const v = y / length;
  const w = z / length;
  if (w < -0.999999999999) {
    for (let i = 0; i < 9; i++) frame[i] = 0;
    frame[0] = -1;
    frame[4] = 1;
    frame[8] = -1;
    return;
  }
  const k = 1 / (1 + w);
  frame[0] = 1 - u * u * k;
  frame[1] = -u * v * k;
  frame[2] = -u;
  frame[3] = -u * v * k;
  frame[4] = 1 - v * v * k;
  frame[5] = -v;
  frame[6] = u;
  frame[7] = v;
  frame[8] = w;
}

/** The axis of space that is nearest to the beam's. */
export function beamAxis(): i32 {
  const u = Math.abs(frame[6]);
  const v = Math.abs(frame[7]);
  const w = Math.abs(frame[8]);
  return w >= u && w >= v ? 2 : u >= v ? 0 : 1;
}

function sampleEnergy(mean: f64, sigma: f64): f64 {
  if (sigma > 0) {
    for (let attempt = 0; attempt < 100000; attempt++) {
      const sample = mean + sigma * normal();
      if (sample >= lowCut && sample <= highCut) return sample;
    }
  }
  return Math.min(highCut, Math.max(lowCut, mean));
}

// offset across the beam and slopes of the ray being sampled
let acrossX: f64 = 0;
let acrossY: f64 = 0;

function sampleShape(): void {
  acrossX = 0;
  acrossY = 0;
  if (shape == SHAPE_GAUSSIAN) {
    if (sizeX > 0 || sizeY > 0) {
      acrossX = sizeX * normal();
      acrossY = sizeY * normal();
    }
  } else if (shape == SHAPE_SQUARE) {
    acrossX = sizeX * (2 * uniform() - 1);
    acrossY = sizeY * (2 * uniform() - 1);
  } else {
    const r = sizeX * Math.sqrt(uniform());
    sampleAzimuth();
    acrossX = r * azimuthCos;
    acrossY = r * azimuthSin;
  }
}

/** Draws one primary from the current random stream. */
export function samplePrimary(): void {
  let openX = divergenceX;
  let openY = divergenceY;
  let slopeX: f64;
  let slopeY: f64;
  if (spots.length == 0) {
    primaryEnergy = sampleEnergy(energy, spread);
    sampleShape();
    slopeX = acrossX * inverseSadX;
    slopeY = acrossY * inverseSadY;
  } else {
    const spot = pickSpot();
    primaryEnergy = sampleEnergy(spots[spot], spots[spot + 1]);
    acrossX = spots[spot + 2] + spots[spot + 4] * normal();
    acrossY = spots[spot + 3] + spots[spot + 5] * normal();
    openX = spots[spot + 6];
    openY = spots[spot + 7];
    // magnets turn a pencil beam as a whole
    slopeX = spots[spot + 2] * inverseSadX;
    slopeY = spots[spot + 3] * inverseSadY;
  }
  if (openX > 0 || openY > 0) {
    const tx = openX * normal();
    const ty = openY * normal();
    // the spot is that of the focal plane: trace back to the start
    acrossX -= tx * focalDistance;
    acrossY -= ty * focalDistance;
    slopeX += tx;
    slopeY += ty;
  }
  primaryX = startX + acrossX * frame[0] + acrossY * frame[3];
  primaryY = startY + acrossX * frame[1] + acrossY * frame[4];
  primaryZ = startZ + acrossX * frame[2] + acrossY * frame[5];
  const norm = 1 / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY);
  primaryU = (slopeX * frame[0] + slopeY * frame[3] + frame[6]) * norm;
  primaryV = (slopeX * frame[1] + slopeY * frame[4] + frame[7]) * norm;
  primaryW = (slopeX * frame[2] + slopeY * frame[5] + frame[8]) * norm;
}
