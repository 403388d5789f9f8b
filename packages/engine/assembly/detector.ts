// Detectors cut straight segments into their spatial bins.

import { FAR } from './constants';
import { Page } from './page';
import { addPiece } from './tally';

export const MESH: i32 = 0;
export const CYL: i32 = 1;
export const ZONE: i32 = 2;
export const ALL: i32 = 3;

// path lengths to the next bin border, and between borders, of the segment being cut
let nextX: f64 = 0;
let nextY: f64 = 0;
let nextZ: f64 = 0;

export class Detector {
  pages: Array<Page> = new Array<Page>();
  /** Some page scores the current step. */
  active: bool = false;
  /** Where one plain sum is all that the step scores: its offset and weight per unit length; else −1. */
  solo: i32 = -1;
  soloWeight: f64 = 0;
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
  innerRadius: f64 = 0;
  outerRadius: f64 = 0;
  zone: i32 = 0;

  constructor(public type: i32) {}

  /** Takes note of a page that scores the current step. */
  activate(page: Page): void {
    this.solo = this.active || page.varying || page.isRatio() ? -1 : page.offset;
    this.soloWeight = page.numerator;
    this.active = true;
  }

  bins(): i32 {
    return this.nx * this.ny * this.nz;
  }

  /** Size of the smallest bin edge, cm. */
  finest(): f64 {
    if (this.type == MESH) return Math.min(this.dx, Math.min(this.dy, this.dz));
    return this.type == CYL ? Math.min(this.dx, this.dz) : FAR;
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
    else if (this.type == ALL || zone == this.zone) addPiece(this, 0, length, from);
  }

  private cutMesh(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64): void {
    const px = (x - this.x0) / this.dx;
    const py = (y - this.y0) / this.dy;
    const pz = (z - this.z0) / this.dz;
    const vx = ux / this.dx;
    const vy = uy / this.dy;
    const vz = uz / this.dz;
    const nx = <f64>this.nx;
    const ny = <f64>this.ny;
    const nz = <f64>this.nz;
    let t = Math.max(0, Math.max(enter(px, vx, nx), Math.max(enter(py, vy, ny), enter(pz, vz, nz))));
    const end = Math.min(length, Math.min(leave(px, vx, nx), Math.min(leave(py, vy, ny), leave(pz, vz, nz))));
    if (t >= end) return;
    let i = startBin(px + t * vx, this.nx);
    let j = startBin(py + t * vy, this.ny);
    let k = startBin(pz + t * vz, this.nz);
    const stepX = vx != 0 ? Math.abs(1 / vx) : FAR;
    const stepY = vy != 0 ? Math.abs(1 / vy) : FAR;
    const stepZ = vz != 0 ? Math.abs(1 / vz) : FAR;
    nextX = border(px, vx, i);
    nextY = border(py, vy, j);
    nextZ = border(pz, vz, k);
    while (true) {
      const next = Math.min(end, Math.min(nextX, Math.min(nextY, nextZ)));
      if (next > t) addPiece(this, i + this.nx * (j + this.ny * k), next - t, from + t);
      if (next >= end) return;
      t = Math.max(t, next);
      if (next == nextX) {
        i += vx > 0 ? 1 : -1;
        nextX += stepX;
        if (<u32>i >= <u32>this.nx) return;
      } else if (next == nextY) {
        j += vy > 0 ? 1 : -1;
        nextY += stepY;
        if (<u32>j >= <u32>this.ny) return;
      } else {
        k += vz > 0 ? 1 : -1;
        nextZ += stepZ;
        if (<u32>k >= <u32>this.nz) return;
      }
    }
  }

  private cutCylinder(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, length: f64, from: f64): void {
    const pz = (z - this.z0) / this.dz;
    const vz = uz / this.dz;
    let t = Math.max(0, enter(pz, vz, <f64>this.nz));
    const end = Math.min(length, leave(pz, vz, <f64>this.nz));
    if (t >= end) return;
    const rx = x - this.x0;
    const ry = y - this.y0;
    const ex = rx + end * ux;
    const ey = ry + end * uy;
    const outer2 = this.outerRadius * this.outerRadius;
    const oneRing = this.nx == 1 && this.innerRadius == 0 && rx * rx + ry * ry < outer2 && ex * ex + ey * ey < outer2;
    let k = startBin(pz + t * vz, this.nz);
    let next = border(pz, vz, k);
    const step = vz != 0 ? Math.abs(1 / vz) : FAR;
    while (true) {
      const stop = Math.min(end, next);
      if (stop > t) {
        if (oneRing) addPiece(this, k, stop - t, from + t);
        else this.cutRings(rx, ry, ux, uy, t, stop, from, k);
      }
      if (stop >= end) return;
      t = Math.max(t, stop);
      k += vz > 0 ? 1 : -1;
      next += step;
      if (<u32>k >= <u32>this.nz) return;
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
        if (ring >= 0 && ring < this.nx) addPiece(this, ring + this.nx * slice, stop - t, from + t);
      }
      if (stop >= end) return;
      t = stop + 1e-12;
      ring = this.ringAt(x + t * ux, y + t * uy);
    }
  }

  /** Ring of a point: −1 inside the hole, nx outside. */
  private ringAt(x: f64, y: f64): i32 {
    const r = (Math.sqrt(x * x + y * y) - this.innerRadius) / this.dx;
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

function startBin(p: f64, n: i32): i32 {
  const i = <i32>p;
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/** Path length to the border that the coordinate reaches next from bin i. */
function border(p: f64, v: f64, i: i32): f64 {
  if (v > 0) return (<f64>(i + 1) - p) / v;
  if (v < 0) return (<f64>i - p) / v;
  return FAR;
}
