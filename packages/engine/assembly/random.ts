// One random stream per history: state = hash(job seed, history index), so a history draws the same numbers
// whichever task, batch or thread simulates it. Generator: xoshiro128** (Blackman and Vigna); hash: SplitMix64.

let s0: u32 = 1;
let s1: u32 = 2;
let s2: u32 = 3;
let s3: u32 = 4;
let spare: f64 = 0;
let hasSpare: bool = false;

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
  hasSpare = false;
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

/** Standard normal (polar method, both values used). */
export function normal(): f64 {
  if (hasSpare) {
    hasSpare = false;
    return spare;
  }
  let x: f64;
  let y: f64;
  let r: f64;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    r = x * x + y * y;
  } while (r >= 1 || r == 0);
  const scale = Math.sqrt((-2 * Math.log(r)) / r);
  spare = y * scale;
  hasSpare = true;
  return x * scale;
}

/** Standard exponential. */
export function exponential(): f64 {
  return -Math.log(uniform());
}

/** Poisson with a small mean (at most about 10). */
export function poisson(mean: f64): i32 {
  const limit = Math.exp(-mean);
  let product = uniform();
  let count = 0;
  while (product > limit) {
    count++;
    product *= uniform();
  }
  return count;
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
    if (Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

/** Cosine and sine of a uniform azimuth, without trigonometry: in `azimuthCos`, `azimuthSin`. */
export let azimuthCos: f64 = 1;
export let azimuthSin: f64 = 0;
export function sampleAzimuth(): void {
  let x: f64;
  let y: f64;
  let r: f64;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    r = x * x + y * y;
  } while (r >= 1 || r < 1e-12);
  const inverse = 1 / Math.sqrt(r);
  azimuthCos = x * inverse;
  azimuthSin = y * inverse;
}
