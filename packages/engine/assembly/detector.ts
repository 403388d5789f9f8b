// Detectors cut straight segments into their spatial bins.

import { Bundle, step } from './bundle';
import { FAR } from './constants';
import { Modifier, Page } from './page';
import { UNIT_SHIFT } from './sums';

export const MESH: i32 = 0;
export const CYL: i32 = 1;
export const ZONE: i32 = 2;
export const ALL: i32 = 3;

// along one axis of the segment being cut: bin at its end, borders it crosses, which way, path length to the next border and between borders
class Axis {
  last: i32 = 0;
  borders: i32 = 0;
  way: i32 = 1;
  next: f64 = FAR;
  between: f64 = FAR;

  /** Prepares for a coordinate p + t·v, in bins, from path t on. Returns the first bin. */
  start(p: f64, v: f64, t: f64, end: f64, bins: i32): i32 {
    const first = clampBin(p + t * v, bins);
    this.last = clampBin(p + end * v, bins);
    this.borders = abs(this.last - first);
    if (first == this.last) {
      this.next = FAR;
      return first;
    }
    const inverse = 1 / v;
    this.way = v > 0 ? 1 : -1;
    this.between = Math.abs(inverse);
    this.next = Math.max(t, ((v > 0 ? <f64>(first + 1) : <f64>first) - p) * inverse);
    return first;
  }

  /** Goes on from a bin to the next, which it returns. */
  advance(bin: i32): i32 {
    const to = bin + this.way;
    if (to == this.last) this.next = FAR;
    else this.next += this.between;
    return to;
  }
}

const alongX = new Axis();
const alongY = new Axis();
const alongZ = new Axis();

export class Detector {
  bundles: Array<Bundle> = new Array<Bundle>();
  /** Bundle of the pages without differential axes. */
  private plain: Bundle | null = null;
  /** Of the step whose number is `step`: whether some page scores it. */
  private step: i32 = -1;
  private active: bool = false;
  // where one sum is all there is, the same along the whole step: what is added per length, where, and the marks of what was touched
  private isPlain: bool = false;
  private plainWeight: f64 = 0;
  private plainSums: usize = 0;
  private plainMarks: usize = 0;
  nx: i32 = 1;
  ny: i32 = 1;
  nz: i32 = 1;
  // mesh: lower corner and bin sizes. cylinder: axis (x0, y0), inner radius and ring width in `innerRadius`, `dx`
  x0: f64 = 0;
  y0: f64 = 0;
  z0: f64 = 0;
  dx: f64 = 1;
  dy: f64 = 1;
  dz: f64 = 1;
  /** Bins per cm. */
  private perX: f64 = 1;
  private perY: f64 = 1;
  private perZ: f64 = 1;
  innerRadius: f64 = 0;
  outerRadius: f64 = 0;
  zone: i32 = 0;

  constructor(public type: i32) {}

  /** The bundle that takes a page's sums. */
  bundleFor(page: Page): Bundle {
    this.perX = 1 / this.dx;
    this.perY = 1 / this.dy;
    this.perZ = 1 / this.dz;
    if (page.modifiers.length > 0) {
      const own = new Bundle(this.bins() * page.differentialBins, page.modifiers);
      this.bundles.push(own);
      return own;
    }
    let plain = this.plain;
    if (plain === null) {
      plain = new Bundle(this.bins(), new Array<Modifier>());
      this.plain = plain;
      this.bundles.push(plain);
    }
    return plain;
  }

  /** Whether some page scores the current step. */
  private isScoring(): bool {
    if (this.step != step) {
      this.step = step;
      this.weigh();
    }
    return this.active;
  }

  /** Sets the weights of the current step. */
  private weigh(): void {
    this.active = false;
    for (let i = 0; i < this.bundles.length; i++) {
      this.bundles[i].weigh();
      if (this.bundles[i].active) this.active = true;
    }
    const first = this.bundles[0];
    this.isPlain = this.bundles.length == 1 && first.isPlain();
    if (!this.isPlain) return;
    this.plainWeight = first.weight[0];
    this.plainSums = first.group.address(0);
    this.plainMarks = first.group.mark(0);
  }

  bins(): i32 {
    return this.nx * this.ny * this.nz;
  }

  /** Size of the smallest bin edge, cm. */
  finest(): f64 {
    if (this.type == MESH) return Math.min(this.dx, Math.min(this.dy, this.dz));
    return this.type == CYL ? Math.min(this.dx, this.dz) : FAR;
  }

  /** Adds `length` cm in one spatial bin; the piece begins `from` cm after the step's start. */
  private add(bin: i32, length: f64, from: f64): void {
    if (this.isPlain) {
      this.addPlain(bin, length);
      return;
    }
    const bundles = this.bundles;
    for (let i = 0; i < bundles.length; i++) {
      const bundle = bundles[i];
      if (!bundle.active) continue;
      if (bundle.modifiers.length == 0) bundle.add(bin, length, from);
      else bundle.addByAxes(this.bins(), bin, length, from);
    }
  }

  @inline
  private addPlain(bin: i32, length: f64): void {
    const at = this.plainSums + ((<usize>bin) << 3);
    store<u8>(this.plainMarks + <usize>(bin >> UNIT_SHIFT), 1);
    store<f64>(at, load<f64>(at) + this.plainWeight * length);
  }

  /** Cuts [t, end] of a segment that crosses borders along z alone; `bin` is its first, slices are `stride` bins apart. */
  private addAlongZ(bin: i32, stride: i32, start: f64, end: f64, from: f64): void {
    let t = start;
    let next = alongZ.next;
    let left = alongZ.borders;
    const between = alongZ.between;
    const step = alongZ.way * stride;
    if (this.isPlain) {
      for (; left > 0 && next < end; left--) {
        this.addPlain(bin, next - t);
        bin += step;
        t = next;
        next += between;
      }
      this.addPlain(bin, end - t);
      return;
    }
    for (; left > 0 && next < end; left--) {
      this.add(bin, next - t, from + t);
      bin += step;
      t = next;
      next += between;
    }
    this.add(bin, end - t, from + t);
  }

  /** Bin of a point, or −1. */
  binAt(x: f64, y: f64, z: f64, zone: i32): i32 {
    if (this.type == ALL) return 0;
    if (this.type == ZONE) return zone == this.zone ? 0 : -1;
    const k = Math.floor((z - this.z0) / this.dz);
    if (!(k >= 0 && k < <f64>this.nz)) return -1;
    if (this.type == MESH) {
      const i = Math.floor((x - this.x0) / this.dx);
      const j = Math.floor((y - this.y0) / this.dy);
      if (!(i >= 0 && i < <f64>this.nx && j >= 0 && j < <f64>this.ny)) return -1;
      return <i32>i + this.nx * (<i32>j + this.ny * <i32>k);
    }
    const r = Math.sqrt((x - this.x0) * (x - this.x0) + (y - this.y0) * (y - this.y0));
    const i = Math.floor((r - this.innerRadius) / this.dx);
    return i >= 0 && i < <f64>this.nx ? <i32>i + this.nx * <i32>k : -1;
  }

  segment(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64, zone: i32): void {
    if (this.type == MESH) this.cutMesh(x, y, z, ux, uy, uz, length, from);
    else if (this.type == CYL) this.cutCylinder(x, y, z, ux, uy, uz, length, from);
    else if ((this.type == ALL || zone == this.zone) && this.isScoring()) this.add(0, length, from);
  }

  private cutMesh(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64): void {
    const px = (x - this.x0) * this.perX;
    const py = (y - this.y0) * this.perY;
    const pz = (z - this.z0) * this.perZ;
    const vx = ux * this.perX;
    const vy = uy * this.perY;
    const vz = uz * this.perZ;
    let t: f64 = 0;
    let end = length;
    if (
      !isInside(px, px + length * vx, <f64>this.nx) ||
      !isInside(py, py + length * vy, <f64>this.ny) ||
      !isInside(pz, pz + length * vz, <f64>this.nz)
    ) {
      t = Math.max(
        0,
        Math.max(enter(px, vx, <f64>this.nx), Math.max(enter(py, vy, <f64>this.ny), enter(pz, vz, <f64>this.nz))),
      );
      const out = Math.min(
        leave(px, vx, <f64>this.nx),
        Math.min(leave(py, vy, <f64>this.ny), leave(pz, vz, <f64>this.nz)),
      );
      end = Math.min(length, out);
      if (t >= end) return;
    }
    if (!this.isScoring()) return;
    let i = alongX.start(px, vx, t, end, this.nx);
    let j = alongY.start(py, vy, t, end, this.ny);
    let k = alongZ.start(pz, vz, t, end, this.nz);
    if (alongX.next >= FAR && alongY.next >= FAR) {
      this.addAlongZ(i + this.nx * (j + this.ny * k), this.nx * this.ny, t, end, from);
      return;
    }
    while (true) {
      const next = Math.min(end, Math.min(alongX.next, Math.min(alongY.next, alongZ.next)));
      if (next > t) this.add(i + this.nx * (j + this.ny * k), next - t, from + t);
      if (next >= end) return;
      t = Math.max(t, next);
      if (next == alongX.next) i = alongX.advance(i);
      else if (next == alongY.next) j = alongY.advance(j);
      else k = alongZ.advance(k);
    }
  }

  private cutCylinder(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64): void {
    const pz = (z - this.z0) * this.perZ;
    const vz = uz * this.perZ;
    let t: f64 = 0;
    let end = length;
    if (!isInside(pz, pz + length * vz, <f64>this.nz)) {
      t = Math.max(0, enter(pz, vz, <f64>this.nz));
      end = Math.min(length, leave(pz, vz, <f64>this.nz));
      if (t >= end) return;
    }
    const rx = x - this.x0;
    const ry = y - this.y0;
    const ex = rx + end * ux;
    const ey = ry + end * uy;
    const outer2 = this.outerRadius * this.outerRadius;
    const oneRing = this.nx == 1 && this.innerRadius == 0 && rx * rx + ry * ry < outer2 && ex * ex + ey * ey < outer2;
    if (!this.isScoring()) return;
    let k = alongZ.start(pz, vz, t, end, this.nz);
    if (oneRing) {
      this.addAlongZ(k, 1, t, end, from);
      return;
    }
    while (true) {
      const stop = Math.min(end, alongZ.next);
      if (stop > t) this.cutRings(rx, ry, ux, uy, t, stop, from, k);
      if (stop >= end) return;
      t = Math.max(t, stop);
      k = alongZ.advance(k);
    }
  }

  /** Cuts [t, end] of a segment within one z slice at the rings' circles. */
  private cutRings(x: f64, y: f64, ux: f64, uy: f64, start: f64, end: f64, from: f64, slice: i32): void {
    const a = ux * ux + uy * uy;
    let t = start;
    const closest = a > 1e-30 ? -(x * ux + y * uy) / a : 0;
    const nearX = x + closest * ux;
    const nearY = y + closest * uy;
    const near2 = nearX * nearX + nearY * nearY;
    let ring = this.ringAt(x + t * ux, y + t * uy);
    for (let guard = 0; guard < 4 * this.nx + 8; guard++) {
      const next = this.nextCircle(a, closest, near2, t, ring);
      const stop = Math.min(end, Math.max(t, next));
      if (stop > t) {
        const middle = 0.5 * (t + stop);
        ring = this.ringAt(x + middle * ux, y + middle * uy);
        if (ring >= 0 && ring < this.nx) this.add(ring + this.nx * slice, stop - t, from + t);
      }
      if (stop >= end) return;
      t = stop + 1e-12;
      ring = this.ringAt(x + t * ux, y + t * uy);
    }
  }

  /** Ring of a point: −1 inside the hole, nx outside. */
  private ringAt(x: f64, y: f64): i32 {
    const r = (Math.sqrt(x * x + y * y) - this.innerRadius) * this.perX;
    return r < 0 ? -1 : r >= <f64>this.nx ? this.nx : <i32>r;
  }

  /** Where the ray leaves the ring it is in, beyond t. */
  private nextCircle(a: f64, closest: f64, near2: f64, t: f64, ring: i32): f64 {
    if (a <= 1e-30) return FAR;
    const inner = ring >= 0 ? this.innerRadius + <f64>ring * this.dx : 0;
    if (t < closest && inner * inner > near2) {
      const crossing = closest - Math.sqrt((inner * inner - near2) / a);
      if (crossing > t) return crossing;
    }
    if (ring >= this.nx) return t < closest ? closest : FAR;
    const outer = this.innerRadius + <f64>(ring + 1) * this.dx;
    return closest + Math.sqrt(Math.max(0, outer * outer - near2) / a);
  }
}

/** Path length at which a coordinate enters [0, n]; −FAR where it is never outside, FAR where never inside. */
function enter(p: f64, v: f64, n: f64): f64 {
  if (v > 0) return -p / v;
  if (v < 0) return (n - p) / v;
  return p >= 0 && p < n ? -FAR : FAR;
}

function leave(p: f64, v: f64, n: f64): f64 {
  if (v > 0) return (n - p) / v;
  if (v < 0) return -p / v;
  return p >= 0 && p < n ? FAR : -FAR;
}

/** Bin of a coordinate in bins, the nearest one of those that are there. */
function clampBin(p: f64, n: i32): i32 {
  const i = <i32>p;
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/** Whether both ends of a segment are between the first and the last border. */
function isInside(from: f64, to: f64, n: f64): bool {
  return from >= 0 && to >= 0 && from < n && to < n;
}
