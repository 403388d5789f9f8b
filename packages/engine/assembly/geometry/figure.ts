// Box, (hollow) cylinder and sphere, each in its own frame: inside test, ray crossing, distance to the surface.

import { FAR } from '../constants';
import { greater, lesser } from '../fast-math';

export const BOX: i32 = 0;
export const CYLINDER: i32 = 1;
export const SPHERE: i32 = 2;

/** Crossings nearer than this belong to the surface the particle is on. */
const TINY: f64 = 1e-12;

export class Figure {
  // inverse rotation, rows
  m00: f64 = 1;
  m01: f64 = 0;
  m02: f64 = 0;
  m10: f64 = 0;
  m11: f64 = 1;
  m12: f64 = 0;
  m20: f64 = 0;
  m21: f64 = 0;
  m22: f64 = 1;
  private isTurned: bool = false;
  // local position and direction of the last query
  private x: f64 = 0;
  private y: f64 = 0;
  private z: f64 = 0;
  private u: f64 = 0;
  private v: f64 = 0;
  private w: f64 = 0;

  constructor(
    public type: i32,
    /** Box: half sizes. Cylinder: inner radius, radius, half depth. Sphere: radius. */
    public a: f64,
    public b: f64,
    public c: f64,
    public cx: f64,
    public cy: f64,
    public cz: f64,
  ) {}

  /** Sets v' = Rz·Ry·Rx·v; angles in degrees. */
  rotate(xDegrees: f64, yDegrees: f64, zDegrees: f64): void {
    if (xDegrees == 0 && yDegrees == 0 && zDegrees == 0) return;
    this.isTurned = true;
    const rad = Math.PI / 180;
    const sx = Math.sin(xDegrees * rad);
    const cx = Math.cos(xDegrees * rad);
    const sy = Math.sin(yDegrees * rad);
    const cy = Math.cos(yDegrees * rad);
    const sz = Math.sin(zDegrees * rad);
    const cz = Math.cos(zDegrees * rad);
    // columns of Rz·Ry·Rx are the rows of its inverse
    this.m00 = cz * cy;
    this.m01 = sz * cy;
    this.m02 = -sy;
    this.m10 = cz * sy * sx - sz * cx;
    this.m11 = sz * sy * sx + cz * cx;
    this.m12 = cy * sx;
    this.m20 = cz * sy * cx + sz * sx;
    this.m21 = sz * sy * cx - cz * sx;
    this.m22 = cy * cx;
  }

  /** Radius of the bounding sphere. */
  extent(): f64 {
    if (this.type == BOX) return Math.sqrt(this.a * this.a + this.b * this.b + this.c * this.c);
    if (this.type == CYLINDER) return Math.sqrt(this.b * this.b + this.c * this.c);
    return this.a;
  }

  private place(px: f64, py: f64, pz: f64): void {
    const dx = px - this.cx;
    const dy = py - this.cy;
    const dz = pz - this.cz;
    if (!this.isTurned) {
      this.x = dx;
      this.y = dy;
      this.z = dz;
      return;
    }
    this.x = this.m00 * dx + this.m01 * dy + this.m02 * dz;
    this.y = this.m10 * dx + this.m11 * dy + this.m12 * dz;
    this.z = this.m20 * dx + this.m21 * dy + this.m22 * dz;
  }

  /** Signed distance to the surface: negative inside. A lower bound of its size at box edges outside. */
  signedDistance(px: f64, py: f64, pz: f64): f64 {
    this.place(px, py, pz);
    if (this.type == BOX) {
      const qx = Math.abs(this.x) - this.a;
      const qy = Math.abs(this.y) - this.b;
      const qz = Math.abs(this.z) - this.c;
      return greater(qx, greater(qy, qz));
    }
    if (this.type == CYLINDER) {
      const r = Math.sqrt(this.x * this.x + this.y * this.y);
      const hollow = this.a > 0 ? greater(r - this.b, this.a - r) : r - this.b;
      return greater(hollow, Math.abs(this.z) - this.c);
    }
    return Math.sqrt(this.x * this.x + this.y * this.y + this.z * this.z) - this.a;
  }

  /** Distance along a ray to the next crossing of the surface, or FAR. */
  crossing(px: f64, py: f64, pz: f64, ux: f64, uy: f64, uz: f64): f64 {
    this.place(px, py, pz);
    return this.crossingFromLast(ux, uy, uz);
  }

  /** The same from the point of the last query. */
  crossingFromLast(ux: f64, uy: f64, uz: f64): f64 {
    if (this.isTurned) {
      this.u = this.m00 * ux + this.m01 * uy + this.m02 * uz;
      this.v = this.m10 * ux + this.m11 * uy + this.m12 * uz;
      this.w = this.m20 * ux + this.m21 * uy + this.m22 * uz;
    } else {
      this.u = ux;
      this.v = uy;
      this.w = uz;
    }
    if (this.type == BOX) return this.boxCrossing();
    if (this.type == CYLINDER) return this.cylinderCrossing();
    const half = this.x * this.u + this.y * this.v + this.z * this.w;
    return nextRoot(1, half, this.x * this.x + this.y * this.y + this.z * this.z - this.a * this.a);
  }

  private boxCrossing(): f64 {
    const u = 1 / this.u;
    const v = 1 / this.v;
    const w = 1 / this.w;
    const near = greater(
      slabEntry(this.x, u, this.a),
      greater(slabEntry(this.y, v, this.b), slabEntry(this.z, w, this.c)),
    );
    const far = lesser(slabExit(this.x, u, this.a), lesser(slabExit(this.y, v, this.b), slabExit(this.z, w, this.c)));
    if (near > far) return FAR;
    if (near > TINY) return near;
    return far > TINY ? far : FAR;
  }

  private cylinderCrossing(): f64 {
    const transverse = this.u * this.u + this.v * this.v;
    let best: f64 = FAR;
    if (transverse > 1e-24) {
      best = this.wallCrossing(this.b, transverse, best);
      if (this.a > 0) best = this.wallCrossing(this.a, transverse, best);
    }
    if (this.w != 0) {
      best = this.capCrossing((-this.c - this.z) / this.w, best);
      best = this.capCrossing((this.c - this.z) / this.w, best);
    }
    return best;
  }

  private wallCrossing(radius: f64, transverse: f64, best: f64): f64 {
    const half = this.x * this.u + this.y * this.v;
    const rest = this.x * this.x + this.y * this.y - radius * radius;
    const discriminant = half * half - transverse * rest;
    if (discriminant <= 0) return best;
    const root = Math.sqrt(discriminant);
    const t1 = (-half - root) / transverse;
    if (t1 > TINY && t1 < best && Math.abs(this.z + t1 * this.w) <= this.c) return t1;
    const t2 = (-half + root) / transverse;
    if (t2 > TINY && t2 < best && Math.abs(this.z + t2 * this.w) <= this.c) return t2;
    return best;
  }

  private capCrossing(t: f64, best: f64): f64 {
    if (t <= TINY || t >= best) return best;
    const x = this.x + t * this.u;
    const y = this.y + t * this.v;
    const r2 = x * x + y * y;
    return r2 <= this.b * this.b && r2 >= this.a * this.a ? t : best;
  }
}

/** Where a coordinate with the inverse speed `inverse` enters [−h, h]; −FAR where it is always inside, FAR where never. */
function slabEntry(p: f64, inverse: f64, h: f64): f64 {
  if (!isFinite(inverse)) return Math.abs(p) > h ? FAR : -FAR;
  return ((inverse > 0 ? -h : h) - p) * inverse;
}

function slabExit(p: f64, inverse: f64, h: f64): f64 {
  return isFinite(inverse) ? ((inverse > 0 ? h : -h) - p) * inverse : FAR;
}

/** Smallest root above TINY of a·t² + 2·half·t + c. */
function nextRoot(a: f64, half: f64, c: f64): f64 {
  const discriminant = half * half - a * c;
  if (discriminant <= 0) return FAR;
  const root = Math.sqrt(discriminant);
  const t1 = (-half - root) / a;
  if (t1 > TINY) return t1;
  const t2 = (-half + root) / a;
  return t2 > TINY ? t2 : FAR;
}
