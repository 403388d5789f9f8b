// Logarithm and exponential from small tables, good to 1e-9; minimum and maximum: for what is done in every step.

const LN2: f64 = 0.6931471805599453;
const LOG_CELLS: i32 = 128;
const EXP_CELLS: i32 = 1024;
const EXP_PER_UNIT: f64 = 32;

// of the middle of each cell of [1, 2): its inverse and its logarithm
const cellInverse = new StaticArray<f64>(LOG_CELLS);
const cellLogarithm = new StaticArray<f64>(LOG_CELLS);
const cellExponential = new StaticArray<f64>(EXP_CELLS + 1);

for (let i = 0; i < LOG_CELLS; i++) {
  const middle = 1 + (<f64>i + 0.5) / <f64>LOG_CELLS;
  cellInverse[i] = 1 / middle;
  cellLogarithm[i] = Math.log(middle);
}
for (let i = 0; i <= EXP_CELLS; i++) cellExponential[i] = Math.exp(-(<f64>i) / EXP_PER_UNIT);

/** The lesser of two numbers, neither of them NaN, in one instruction: `Math.min` is compiled to branches. */
export function lesser(a: f64, b: f64): f64 {
  return f64x2.extract_lane(f64x2.pmin(f64x2.splat(a), f64x2.splat(b)), 0);
}

/** The greater of two numbers, likewise. */
export function greater(a: f64, b: f64): f64 {
  return f64x2.extract_lane(f64x2.pmax(f64x2.splat(a), f64x2.splat(b)), 0);
}

/** Natural logarithm of a positive number. */
export function logarithm(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  const i = <i32>(bits >> 45) & (LOG_CELLS - 1);
  const mantissa = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  const r = mantissa * cellInverse[i] - 1;
  const exponent = <f64>(<i32>(bits >> 52) - 1023);
  return exponent * LN2 + cellLogarithm[i] + r * (1 - r * (0.5 - r * (1.0 / 3.0 - 0.25 * r)));
}

/** exp(−x) for x ≥ 0; beyond 32 nothing. */
export function decay(x: f64): f64 {
  if (x >= 32) return 0;
  const i = <i64>(x * EXP_PER_UNIT);
  const r = x - <f64>i * (1 / EXP_PER_UNIT);
  return cellExponential[<i32>i] * (1 - r * (1 - r * (0.5 - r * (1.0 / 6.0 - r * (1.0 / 24.0)))));
}
