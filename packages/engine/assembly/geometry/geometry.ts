// Which zone a point is in, and how far the next surface is. No surface bookkeeping: a particle that reaches a
// surface is put just past it and located anew.

import { FAR } from '../constants';
import { greater, lesser } from '../fast-math';
import { Material, materials } from '../material/material';
import { Figure } from './figure';

export const UNION: i32 = 0;
export const INTERSECTION: i32 = 1;
export const SUBTRACTION: i32 = 2;
export const REVERSE_SUBTRACTION: i32 = 3;
/** Start of a new term. */
const TERM: i32 = 4;

export const OUTSIDE: i32 = -1;

class Zone {
  modes: Array<i32> = new Array<i32>();
  operands: Array<i32> = new Array<i32>();
  constructor(public material: i32) {}
}

export const figures = new Array<Figure>();
const zones = new Array<Zone>();
const inside = new StaticArray<bool>(4096);
/** How far at least the surface of each figure is from the point of the last search. */
const distances = new StaticArray<f64>(4096);
let worldFigure: i32 = 0;
let worldMaterial: i32 = 0;
/** How far past a surface a particle is put, cm. */
export let overshoot: f64 = 1e-7;

/** The point that distances are known from. */
let safeX: f64 = 0;
let safeY: f64 = 0;
let safeZ: f64 = 0;

// The nearest figures, and how far at least their surfaces are; how far at least those of all others are.
const NEAR: i32 = 3;
const near = new StaticArray<i32>(NEAR + 1);
const nearDistance = new StaticArray<f64>(NEAR + 1);
let nearCount: i32 = 0;
let room: f64 = -1;
/** The least of them. */
let safeRadius: f64 = -1;
/** Rounding of distances, as a share of them. */
const ROUNDING: f64 = 1e-9;

/** Forgets all figures and zones. */
export function clear(): void {
  figures.length = 0;
  zones.length = 0;
}

export function addZone(material: i32): void {
  zones.push(new Zone(material));
}

export function addTerm(): void {
  const zone = zones[zones.length - 1];
  zone.modes.push(TERM);
  zone.operands.push(0);
}

export function addOperation(mode: i32, figure: i32): void {
  const zone = zones[zones.length - 1];
  zone.modes.push(mode);
  zone.operands.push(figure);
}

export function setWorld(figure: i32, material: i32): void {
  worldFigure = figure;
  worldMaterial = material;
  overshoot = 1e-7 * greater(1, figures[figure].extent() / 100);
  nearCount = 0;
  room = -1;
  safeRadius = -1;
}

/** Index of the world zone: after all others. */
export function worldZone(): i32 {
  return zones.length;
}

/** Material index of a zone (or of the world zone). */
export function zoneMaterialIndex(zone: i32): i32 {
  return zone < zones.length ? zones[zone].material : worldMaterial;
}

export function zoneMaterial(zone: i32): Material {
  return materials[zoneMaterialIndex(zone)];
}

function contains(zone: Zone): bool {
  let any = false;
  let term = false;
  let first = true;
  for (let i = 0; i < zone.modes.length; i++) {
    const mode = zone.modes[i];
    if (mode == TERM) {
      any = any || term;
      term = false;
      first = true;
      continue;
    }
    const operand = inside[zone.operands[i]];
    if (first || mode == UNION) term = term || operand;
    else if (mode == INTERSECTION) term = term && operand;
    else if (mode == SUBTRACTION) term = term && !operand;
    else term = operand && !term;
    first = false;
  }
  return any || term;
}

/** Searches all figures for those nearest to a point; sets `inside` and `distances` of all. */
function searchAll(x: f64, y: f64, z: f64): void {
  nearCount = 0;
  for (let i = 0; i < figures.length; i++) {
    const signed = figures[i].signedDistance(x, y, z);
    inside[i] = signed <= 0;
    const distance = Math.abs(signed);
    distances[i] = distance;
    if (nearCount > NEAR && distance >= nearDistance[NEAR]) continue;
    let place = nearCount > NEAR ? NEAR : nearCount;
    for (; place > 0 && nearDistance[place - 1] > distance; place--) {
      near[place] = near[place - 1];
      nearDistance[place] = nearDistance[place - 1];
    }
    near[place] = i;
    nearDistance[place] = distance;
    if (nearCount <= NEAR) nearCount++;
  }
  // the last of them bounds the ball
  room = nearCount > NEAR ? nearDistance[NEAR] * (1 - ROUNDING) : FAR;
  nearCount = min(nearCount, NEAR);
  for (let k = 0; k < nearCount; k++) nearDistance[k] *= 1 - ROUNDING;
}

/** Works out how far a point is from a near figure. */
function measure(k: i32, x: f64, y: f64, z: f64): void {
  const signed = figures[near[k]].signedDistance(x, y, z);
  inside[near[k]] = signed <= 0;
  nearDistance[k] = Math.abs(signed) * (1 - ROUNDING);
}

/** Moves the point that distances are known from. What is left of them is a lower bound. */
function moveTo(x: f64, y: f64, z: f64): void {
  const dx = x - safeX;
  const dy = y - safeY;
  const dz = z - safeZ;
  const moved = Math.sqrt(dx * dx + dy * dy + dz * dz) * (1 + ROUNDING);
  safeX = x;
  safeY = y;
  safeZ = z;
  room -= moved;
  for (let k = 0; k < nearCount; k++) nearDistance[k] -= moved;
}

/** Zone of a point: the first in list order, the world zone, or OUTSIDE. */
export function locate(x: f64, y: f64, z: f64): i32 {
  moveTo(x, y, z);
  if (room <= 0) searchAll(x, y, z);
  safeRadius = room;
  for (let k = 0; k < nearCount; k++) {
    // who is farther than what was gone is on the same side
    if (nearDistance[k] <= 0) measure(k, x, y, z);
    safeRadius = lesser(safeRadius, nearDistance[k]);
  }
  if (!inside[worldFigure]) return OUTSIDE;
  for (let i = 0; i < zones.length; i++) {
    if (contains(zones[i])) return i;
  }
  return zones.length;
}

/** Distance to the next surface of any figure along a direction, where it is less than `limit`; else FAR. */
export function distanceToSurface(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, limit: f64): f64 {
  const dx = x - safeX;
  const dy = y - safeY;
  const dz = z - safeZ;
  const square = dx * dx + dy * dy + dz * dz;
  const free = safeRadius - limit;
  if (free > 0 && square < free * free) return FAR;
  moveTo(x, y, z);
  if (room <= limit) {
    searchAll(x, y, z);
    if (room <= limit) {
      safeRadius = -1;
      return distanceToAny(ux, uy, uz, limit);
    }
  }
  let best: f64 = FAR;
  safeRadius = room;
  for (let k = 0; k < nearCount; k++) {
    if (nearDistance[k] <= limit) {
      measure(k, x, y, z);
      if (nearDistance[k] < lesser(limit, best)) {
        best = lesser(best, figures[near[k]].crossingFromLast(ux, uy, uz));
      }
    }
    safeRadius = lesser(safeRadius, nearDistance[k]);
  }
  return best < limit ? best : FAR;
}

/** As `distanceToSurface` from the point of the last search, by all figures: where more of them than `near` may be that close. */
function distanceToAny(ux: f64, uy: f64, uz: f64, limit: f64): f64 {
  let best: f64 = FAR;
  for (let i = 0; i < figures.length; i++) {
    if (distances[i] * (1 - ROUNDING) < lesser(limit, best)) {
      best = lesser(best, figures[i].crossingFromLast(ux, uy, uz));
    }
  }
  return best < limit ? best : FAR;
}

/** Distance from a point outside the world to where a ray enters it, or FAR. */
export function distanceToWorld(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64): f64 {
  return figures[worldFigure].crossing(x, y, z, ux, uy, uz);
}
