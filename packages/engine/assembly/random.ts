// One random stream per history: state = hash(job seed, history index), so a history draws the same numbers
// whichever task, batch or thread simulates it. Generator: xoshiro128** (Blackman and Vigna); hash: SplitMix64.

import { decay, logarithm } from './fast-math';

let s0: u32 = 1;
let s1: u32 = 2;
let s2: u32 = 3;
let s3: u32 = 4;

function splitMix(x: u64): u64 {
  let z = x + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/** Starts the stream of one history. */
export function seedHistory(jobSeed: u64, history: u64): void {
  const key = splitMix(splitMix(jobSeed) ^ (history * 0xd1342543de82ef95 + 0x2545f4914f6cdd1d));
  const a = splitMix(key);
  const b = splitMix(key + 0x9e3779b97f4a7c15);
  setRandomState(<u32>a, <u32>(a >> 32), <u32>b, <u32>(b >> 32) | 1);
}

/** Sets the generator's state; not all zero. */
export function setRandomState(a: u32, b: u32, c: u32, d: u32): void {
  s0 = a;
  s1 = b;
  s2 = c;
  s3 = d;
}

/** The next 32 random bits. */
export function nextBits(): u32 {
  const result = rotl<u32>(s1 * 5, 7) * 9;
  const t = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  s0 ^= s3;
  s2 ^= t;
  s3 = rotl<u32>(s3, 11);
  return result;
}

/** Uniform in (0, 1): neither end, so it is safe in a logarithm. */
export function uniform(): f64 {
  return (<f64>nextBits() + 0.5) * 2.3283064365386963e-10;
}

// Ziggurat of the normal distribution in 256 layers of equal area (Marsaglia and Tsang 2000; constants after Doornik 2005)
const LAYERS: i32 = 256;
const TAIL_START: f64 = 3.6541528853610088;
const LAYER_AREA: f64 = 0.00492867323399;
/** Right edges of the layers, from the base up, and of each the share that lies under the layer above. */
const edge = new StaticArray<f64>(LAYERS + 1);
const inner = new StaticArray<f64>(LAYERS);

edge[0] = LAYER_AREA / Math.exp(-0.5 * TAIL_START * TAIL_START);
edge[1] = TAIL_START;
for (let i = 2; i < LAYERS; i++) {
  const below = edge[i - 1];
  edge[i] = Math.sqrt(-2 * Math.log(LAYER_AREA / below + Math.exp(-0.5 * below * below)));
}
edge[LAYERS] = 0;
for (let i = 0; i < LAYERS; i++) inner[i] = edge[i + 1] / edge[i];

/** Standard normal. */
export function normal(): f64 {
  while (true) {
    // the low eight bits choose the layer, the others the place in it
    const bits = nextBits();
    const layer = <i32>(bits & 0xff);
    const u = (<f64>(bits >> 8) + 0.5) * 1.1920928955078125e-7 - 1;
    if (Math.abs(u) < inner[layer]) return u * edge[layer];
    if (layer == 0) return u < 0 ? -normalTail() : normalTail();
    const x = u * edge[layer];
    const low = Math.exp(-0.5 * (edge[layer] * edge[layer] - x * x));
    const high = Math.exp(-0.5 * (edge[layer + 1] * edge[layer + 1] - x * x));
    if (high + uniform() * (low - high) < 1) return x;
  }
}

/** Beyond the layers (Marsaglia 1964). */
function normalTail(): f64 {
  while (true) {
    const x = -Math.log(uniform()) / TAIL_START;
    const y = -Math.log(uniform());
    if (y + y >= x * x) return TAIL_START + x;
  }
}

/** Standard exponential. */
export function exponential(): f64 {
  return -logarithm(uniform());
}

/** Most that a Poisson number may be; with the means used here it is never reached. */
const COUNT_MAX: i32 = 100;

/** Poisson with a small mean (at most about 10), by adding up probabilities. */
export function poisson(mean: f64): i32 {
  let probability = decay(mean);
  let rest = uniform();
  let count = 0;
  while (rest > probability && count < COUNT_MAX) {
    rest -= probability;
    count++;
    probability *= mean / <f64>count;
  }
  return count;
}

/** Sums of the probabilities of 0, 1, 2 … of a Poisson number of mean 1, of a 32-bit number of parts; beyond the last nothing is left. */
const POISSON_ONE: StaticArray<u32> = [
  1580030168, 3160060337, 3950075421, 4213413783, 4279248373, 4292415291, 4294609777, 4294923275, 4294962463,
  4294966817,
];

/** Poisson with a mean of 1. */
export function poissonOne(): i32 {
  const bits = nextBits();
  let count = 0;
  while (count < POISSON_ONE.length && bits >= unchecked(POISSON_ONE[count])) count++;
  return count;
}

/** Directions across, evenly around: their cosines and sines side by side. */
const DIRECTION_BITS: i32 = 9;
const directions = new StaticArray<f64>(2 << DIRECTION_BITS);
for (let i = 0; i < 1 << DIRECTION_BITS; i++) {
  const azimuth = (2 * Math.PI * (<f64>i + 0.5)) / <f64>(1 << DIRECTION_BITS);
  directions[2 * i] = Math.cos(azimuth);
  directions[2 * i + 1] = Math.sin(azimuth);
}

/** A direction of even distribution in `azimuthCos` and `azimuthSin`, and a uniform number in (0, 1), of 23 bits, of one draw. */
export function uniformAndDirection(): f64 {
  const bits = nextBits();
  const place = (<i32>(bits & ((1 << DIRECTION_BITS) - 1))) << 1;
  azimuthCos = unchecked(directions[place]);
  azimuthSin = unchecked(directions[place + 1]);
  return (<f64>(bits >> DIRECTION_BITS) + 0.5) * 1.1920928955078125e-7;
}

/** Gamma with the given shape and mean 1·shape (Marsaglia and Tsang 2000). */
export function gamma(shape: f64): f64 {
  if (shape < 1) return gamma(shape + 1) * Math.pow(uniform(), 1 / shape);
  const d = shape - 1.0 / 3.0;
  const c = 1 / Math.sqrt(9 * d);
  while (true) {
    const x = normal();
    let v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    const u = uniform();
    // nearly always, without a logarithm
    if (u < 1 - 0.0331 * x * x * x * x) return d * v;
    if (logarithm(u) < 0.5 * x * x + d * (1 - v + logarithm(v))) return d * v;
  }
}

/** Cosine and sine of a uniform azimuth, without trigonometry: in `azimuthCos`, `azimuthSin`. */
export let azimuthCos: f64 = 1;
export let azimuthSin: f64 = 0;
export function sampleAzimuth(): void {
  sampleDisc();
  const inverse = 1 / Math.sqrt(discSquare);
  azimuthCos = discX * inverse;
  azimuthSin = discY * inverse;
}

/** A uniform point of the unit disc, in `discX`, `discY`; the square of its radius, uniform in (0, 1), in `discSquare`. */
export let discX: f64 = 0;
export let discY: f64 = 0;
export let discSquare: f64 = 0;
export function sampleDisc(): void {
  do {
    discX = 2 * uniform() - 1;
    discY = 2 * uniform() - 1;
    discSquare = discX * discX + discY * discY;
  } while (discSquare >= 1 || discSquare < 1e-12);
}
