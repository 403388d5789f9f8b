// One axis of a segment that is cut into bins: coordinates are in bins.

import { FAR } from '../constants';
import { greater } from '../fast-math';

/** Of the segment being cut: bin at its end, which way, path length to the next border and between borders. */
export class Axis {
  last: i32 = 0;
  way: i32 = 1;
  next: f64 = FAR;
  between: f64 = FAR;

  /** Prepares for a coordinate p + t·v, in bins, from path t and bin `first` to bin `last`. */
  start(p: f64, v: f64, t: f64, first: i32, last: i32): void {
    this.last = last;
    if (first == last) {
      this.next = FAR;
      return;
    }
    const inverse = 1 / v;
    this.way = v > 0 ? 1 : -1;
    this.between = Math.abs(inverse);
    this.next = greater(t, ((v > 0 ? <f64>(first + 1) : <f64>first) - p) * inverse);
  }

  /** Goes on from a bin to the next, which it returns. */
  advance(bin: i32): i32 {
    const to = bin + this.way;
    if (to == this.last) this.next = FAR;
    else this.next += this.between;
    return to;
  }
}

/** Path length at which a coordinate enters [0, n]; −FAR where it is never outside, FAR where never inside. */
export function enter(p: f64, v: f64, n: f64): f64 {
  if (v > 0) return -p / v;
  if (v < 0) return (n - p) / v;
  return p >= 0 && p < n ? -FAR : FAR;
}

export function leave(p: f64, v: f64, n: f64): f64 {
  if (v > 0) return (n - p) / v;
  if (v < 0) return -p / v;
  return p >= 0 && p < n ? FAR : -FAR;
}

/** Bin of a coordinate in bins, the nearest one of those that are there. */
export function clampBin(p: f64, n: i32): i32 {
  // to 64 bits, which takes half the instructions of 32
  const i = <i64>p;
  return i < 0 ? 0 : i >= <i64>n ? n - 1 : <i32>i;
}

/** Whether both ends of a segment are between the first and the last border. */
export function isInside(from: f64, to: f64, n: f64): bool {
  return from >= 0 && to >= 0 && from < n && to < n;
}
