// Detectors cut straight segments into their spatial bins. They see space with the axis z along rows of bins that lie side by
// side in memory: those of a mesh lie along the beam.

import { FAR } from '../constants';
import { greater, lesser } from '../fast-math';
import { beamAxis } from '../transport/beam';
import { Axis, clampBin, enter, isInside, leave } from './axis';
import { Bundle, weighStep } from './bundle';
import { Group } from './group';
import { Modifier, Page } from './page';
import { particle, step } from './step';
import { localWeightOf } from './sum-weight';

export const MESH: i32 = 0;
export const CYL: i32 = 1;
export const ZONE: i32 = 2;
export const ALL: i32 = 3;

/** What a history may cross of a detector without bins, cm. */
const REGION_LENGTH: f64 = 16;

const alongX = new Axis();
const alongY = new Axis();

export class Detector {
  bundles: Array<Bundle> = new Array<Bundle>();
  /** Bundle of the pages without differential axes. */
  private plain: Bundle | null = null;
  /** Of the step whose number is `step`: whether some page scores it. */
  private step: i32 = -1;
  private active: bool = false;
  // where one sum is all there is, the same along the whole step: what is added per length, and where
  private isPlain: bool = false;
  private plainWeight: f64 = 0;
  private plainGroup: Group = new Group(0, 1, 1);
  /** The only kind of sum, of all steps that are scored: see `Bundle.onlyKind`. */
  private onlyKind: i32 = -1;
  /** The axis of space that is its z. */
  private along: i32 = 2;
  private nx: i32 = 1;
  private ny: i32 = 1;
  private nz: i32 = 1;
  // mesh: lower corner and bin sizes. cylinder: axis (x0, y0), inner radius and ring width in `innerRadius`, `dx`
  private x0: f64 = 0;
  private y0: f64 = 0;
  private z0: f64 = 0;
  private dx: f64 = FAR;
  private dy: f64 = FAR;
  private dz: f64 = FAR;
  /** Bins per cm. */
  private perX: f64 = 1;
  private perY: f64 = 1;
  private perZ: f64 = 1;
  private innerRadius: f64 = 0;
  private outerRadius: f64 = 0;
  zone: i32 = 0;

  constructor(public type: i32) {}

  /** Lower corner, sizes and numbers of bins. */
  setMesh(x0: f64, y0: f64, z0: f64, dx: f64, dy: f64, dz: f64, nx: i32, ny: i32, nz: i32): void {
    const along = beamAxis();
    this.along = along;
    this.x0 = along == 0 ? z0 : x0;
    this.y0 = along == 1 ? z0 : y0;
    this.z0 = along == 0 ? x0 : along == 1 ? y0 : z0;
    this.dx = along == 0 ? dz : dx;
    this.dy = along == 1 ? dz : dy;
    this.dz = along == 0 ? dx : along == 1 ? dy : dz;
    this.nx = along == 0 ? nz : nx;
    this.ny = along == 1 ? nz : ny;
    this.nz = along == 0 ? nx : along == 1 ? ny : nz;
    this.perX = 1 / this.dx;
    this.perY = 1 / this.dy;
    this.perZ = 1 / this.dz;
  }

  /** Axis (x, y), lower z, radii, length, number of rings and slices. */
  setCylinder(x: f64, y: f64, z: f64, innerRadius: f64, radius: f64, length: f64, rings: i32, slices: i32): void {
    this.x0 = x;
    this.y0 = y;
    this.z0 = z;
    this.innerRadius = innerRadius;
    this.outerRadius = radius;
    this.nx = rings;
    this.nz = slices;
    this.dx = (radius - innerRadius) / <f64>rings;
    this.dz = length / <f64>slices;
    this.perX = 1 / this.dx;
    this.perZ = 1 / this.dz;
  }

  /** Bins along its axes z, x and y, which follow each other so in memory. */
  axisBins(axis: i32): i32 {
    return axis == 0 ? this.nz : axis == 1 ? this.nx : this.ny;
  }

  /** How far apart the neighbours along one of them are in a page, whose first axis is the fastest. */
  axisStep(axis: i32): i32 {
    if (this.type == CYL) return axis == 0 ? this.nx : 1;
    const ofPage = axis == 0 ? this.along : axis - 1 == this.along ? 2 : axis - 1;
    const first = this.along == 0 ? this.nz : this.nx;
    const second = this.along == 1 ? this.nz : this.ny;
    return ofPage == 0 ? 1 : ofPage == 1 ? first : first * second;
  }

  /** The bundle that takes a page's sums. */
  bundleFor(page: Page): Bundle {
    const rows = this.nx * this.ny;
    if (page.modifiers.length > 0) {
      const group = new Group(this.bins() * page.differentialBins, this.nz, rows);
      const own = new Bundle(group, page.modifiers);
      this.bundles.push(own);
      return own;
    }
    let plain = this.plain;
    if (plain === null) {
      plain = new Bundle(new Group(this.bins(), this.nz, rows), new Array<Modifier>());
      this.plain = plain;
      this.bundles.push(plain);
    }
    return plain;
  }

  /** Whether some page scores the current step. */
  @inline
  private isScoring(): bool {
    if (this.step != step) {
      this.step = step;
      this.weigh();
    }
    return this.active;
  }

  /** After the last page has its bundle. */
  settle(): void {
    if (this.bundles.length != 1) return;
    this.onlyKind = this.bundles[0].onlyKind();
    if (this.onlyKind < 0) return;
    this.isPlain = true;
    this.plainGroup = this.bundles[0].group;
  }

  /** Sets the weights of the current step. */
  private weigh(): void {
    if (this.onlyKind >= 0) {
      weighStep();
      this.active = particle.z != 0 || this.bundles[0].takesNeutrons;
      this.plainWeight = localWeightOf(this.onlyKind);
      return;
    }
    this.active = false;
    for (let i = 0; i < this.bundles.length; i++) {
      this.bundles[i].weigh();
      if (this.bundles[i].active) this.active = true;
    }
    if (this.bundles.length == 0) return;
    const first = this.bundles[0];
    this.isPlain = this.bundles.length == 1 && first.isPlain();
    if (!this.isPlain) return;
    this.plainWeight = first.weight[0];
    this.plainGroup = first.group;
  }

  bins(): i32 {
    return this.nx * this.ny * this.nz;
  }

  /** Size of the smallest bin edge, cm. */
  finest(): f64 {
    return lesser(this.dx, lesser(this.dy, this.dz));
  }

  /** Length of a bin along a row, cm. */
  typicalLength(): f64 {
    return lesser(this.dz, REGION_LENGTH);
  }

  /** Adds `length` cm in one spatial bin; the piece begins `from` cm after the step's start. */
  private add(bin: i32, length: f64, from: f64): void {
    if (this.isPlain) {
      this.plainGroup.addOne(bin, this.plainWeight * length);
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

  /** Cuts [t, end] of a segment that stays in one row along z, where it goes by pz + t·vz, in bins. */
  private addAlong(row: i32, pz: f64, vz: f64, t: f64, end: f64, from: f64): void {
    const length = end - t;
    const p = pz + t * vz;
    const first = clampBin(p, this.nz);
    const last = clampBin(pz + end * vz, this.nz);
    const bin = row * this.nz + first;
    if (first == last) {
      this.add(bin, length, from + t);
      return;
    }
    const between = Math.abs(1 / vz);
    const ahead = (vz > 0 ? <f64>(first + 1) - p : p - <f64>first) * between;
    const before = lesser(length, greater(0, ahead));
    const more = abs(last - first);
    const after = greater(0, length - before - <f64>(more - 1) * between);
    if (this.isPlain) {
      const weight = this.plainWeight;
      const up = vz > 0;
      const low = up ? bin : bin - more;
      const one = weight * before;
      const other = weight * after;
      this.plainGroup.addRow(low, more + 1, up ? one : other, weight * between, up ? other : one);
      return;
    }
    this.addRow(bin, vz > 0 ? 1 : -1, more + 1, before, between, after, from + t);
  }

  /** As `addRow` of the bundles. */
  private addRow(bin: i32, way: i32, count: i32, first: f64, between: f64, last: f64, from: f64): void {
    const bundles = this.bundles;
    for (let i = 0; i < bundles.length; i++) {
      const bundle = bundles[i];
      if (!bundle.active) continue;
      if (bundle.modifiers.length == 0) {
        bundle.addRow(bin, way, count, first, between, last, from);
        continue;
      }
      let at = from;
      for (let k = 0; k < count; k++) {
        const length = k == 0 ? first : k == count - 1 ? last : between;
        bundle.addByAxes(this.bins(), bin + way * k, length, at);
        at += length;
      }
    }
  }

  /** Bin of a point, or −1. */
  binAt(x: f64, y: f64, z: f64, zone: i32): i32 {
    if (this.type == ALL) return 0;
    if (this.type == ZONE) return zone == this.zone ? 0 : -1;
    const k = Math.floor(((this.along == 0 ? x : this.along == 1 ? y : z) - this.z0) * this.perZ);
    if (!(k >= 0 && k < <f64>this.nz)) return -1;
    if (this.type == MESH) {
      const i = Math.floor(((this.along == 0 ? z : x) - this.x0) * this.perX);
      const j = Math.floor(((this.along == 1 ? z : y) - this.y0) * this.perY);
      if (!(i >= 0 && i < <f64>this.nx && j >= 0 && j < <f64>this.ny)) return -1;
      return <i32>k + this.nz * (<i32>i + this.nx * <i32>j);
    }
    const r = Math.sqrt((x - this.x0) * (x - this.x0) + (y - this.y0) * (y - this.y0));
    const i = Math.floor((r - this.innerRadius) * this.perX);
    return i >= 0 && i < <f64>this.nx ? <i32>k + this.nz * <i32>i : -1;
  }

  segment(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64, zone: i32): void {
    if (this.type == MESH) {
      if (this.along == 2) this.cutMesh(x, y, z, ux, uy, uz, length, from);
      else if (this.along == 1) this.cutMesh(x, z, y, ux, uz, uy, length, from);
      else this.cutMesh(z, y, x, uz, uy, ux, length, from);
    } else if (this.type == CYL) this.cutCylinder(x, y, z, ux, uy, uz, length, from);
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
      t = greater(
        0,
        greater(enter(px, vx, <f64>this.nx), greater(enter(py, vy, <f64>this.ny), enter(pz, vz, <f64>this.nz))),
      );
      const out = lesser(leave(px, vx, <f64>this.nx), lesser(leave(py, vy, <f64>this.ny), leave(pz, vz, <f64>this.nz)));
      end = lesser(length, out);
      if (t >= end) return;
    }
    if (!this.isScoring()) return;
    let i = clampBin(px + t * vx, this.nx);
    let j = clampBin(py + t * vy, this.ny);
    const lastI = clampBin(px + end * vx, this.nx);
    const lastJ = clampBin(py + end * vy, this.ny);
    if (i == lastI && j == lastJ) {
      this.addAlong(i + this.nx * j, pz, vz, t, end, from);
      return;
    }
    alongX.start(px, vx, t, i, lastI);
    alongY.start(py, vy, t, j, lastJ);
    while (true) {
      const next = lesser(end, lesser(alongX.next, alongY.next));
      if (next > t) this.addAlong(i + this.nx * j, pz, vz, t, next, from);
      if (next >= end) return;
      t = greater(t, next);
      if (next == alongX.next) i = alongX.advance(i);
      else j = alongY.advance(j);
    }
  }

  private cutCylinder(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64): void {
    const pz = (z - this.z0) * this.perZ;
    const vz = uz * this.perZ;
    let t: f64 = 0;
    let end = length;
    if (!isInside(pz, pz + length * vz, <f64>this.nz)) {
      t = greater(0, enter(pz, vz, <f64>this.nz));
      end = lesser(length, leave(pz, vz, <f64>this.nz));
      if (t >= end) return;
    }
    if (!this.isScoring()) return;
    const rx = x - this.x0;
    const ry = y - this.y0;
    const ex = rx + end * ux;
    const ey = ry + end * uy;
    const outer2 = this.outerRadius * this.outerRadius;
    const oneRing = this.nx == 1 && this.innerRadius == 0 && rx * rx + ry * ry < outer2 && ex * ex + ey * ey < outer2;
    if (oneRing) this.addAlong(0, pz, vz, t, end, from);
    else this.cutRings(rx, ry, ux, uy, pz, vz, t, end, from);
  }

  /** Cuts [t, end] of a segment at the rings' circles. */
  private cutRings(x: f64, y: f64, ux: f64, uy: f64, pz: f64, vz: f64, start: f64, end: f64, from: f64): void {
    const a = ux * ux + uy * uy;
    let t = start;
    const closest = a > 1e-30 ? -(x * ux + y * uy) / a : 0;
    const nearX = x + closest * ux;
    const nearY = y + closest * uy;
    const near2 = nearX * nearX + nearY * nearY;
    let ring = this.ringAt(x + t * ux, y + t * uy);
    for (let guard = 0; guard < 4 * this.nx + 8; guard++) {
      const next = this.nextCircle(a, closest, near2, t, ring);
      const stop = lesser(end, greater(t, next));
      if (stop > t) {
        const middle = 0.5 * (t + stop);
        ring = this.ringAt(x + middle * ux, y + middle * uy);
        if (ring >= 0 && ring < this.nx) this.addAlong(ring, pz, vz, t, stop, from);
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
    return closest + Math.sqrt(greater(0, outer * outer - near2) / a);
  }
}
