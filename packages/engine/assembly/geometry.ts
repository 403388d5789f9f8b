// Which zone a point is in, and how far the next surface is. No surface bookkeeping: a particle that reaches a
// surface is put just past it and located anew.

import { FAR } from './constants';
import { Figure } from './figure';
import { Material, materials } from './material';

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
let worldFigure: i32 = 0;
let worldMaterial: i32 = 0;
/** How far past a surface a particle is put, cm. */
export let overshoot: f64 = 1e-7;

// A ball around the point of the last search that holds no surface.
let safeX: f64 = 0;
let safeY: f64 = 0;
let safeZ: f64 = 0;
let safeRadius: f64 = -1;

// A larger ball, around the point of the last search of all figures, that holds no surfaces but those of `near`.
const NEAR: i32 = 3;
const near = new StaticArray<i32>(NEAR + 1);
const nearDistance = new StaticArray<f64>(NEAR + 1);
let nearCount: i32 = 0;
let ballX: f64 = 0;
let ballY: f64 = 0;
let ballZ: f64 = 0;
let ballRadius: f64 = -1;
/** Rounding of distances, as a share of them. */
const ROUNDING: f64 = 1e-9;

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
  overshoot = 1e-7 * Math.max(1, figures[figure].extent() / 100);
  safeRadius = -1;
  ballRadius = -1;
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

/** Searches all figures for those nearest to a point; sets `inside` of all. */
function searchAll(x: f64, y: f64, z: f64): void {
  nearCount = 0;
  for (let i = 0; i < figures.length; i++) {
    const signed = figures[i].signedDistance(x, y, z);
    inside[i] = signed <= 0;
    const distance = Math.abs(signed);
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
  ballX = x;
  ballY = y;
  ballZ = z;
  // the last of them bounds the ball
  ballRadius = nearCount > NEAR ? nearDistance[NEAR] * (1 - ROUNDING) : FAR;
  nearCount = min(nearCount, NEAR);
}

/** How far from a point no figures but `near` have surfaces; these are searched for anew where that is less than wanted. */
function roomAround(x: f64, y: f64, z: f64, wanted: f64): f64 {
  const dx = x - ballX;
  const dy = y - ballY;
  const dz = z - ballZ;
  const room = ballRadius - Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (room > wanted) return room;
  searchAll(x, y, z);
  return ballRadius;
}

/** Zone of a point: the first in list order, the world zone, or OUTSIDE. */
export function locate(x: f64, y: f64, z: f64): i32 {
  let free = roomAround(x, y, z, 0);
  for (let k = 0; k < nearCount; k++) {
    const distance = figures[near[k]].signedDistance(x, y, z);
    inside[near[k]] = distance <= 0;
    free = Math.min(free, Math.abs(distance));
  }
  safeX = x;
  safeY = y;
  safeZ = z;
  safeRadius = free;
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
  const room = safeRadius - limit;
  if (room > 0 && dx * dx + dy * dy + dz * dz < room * room) return FAR;
  let free = roomAround(x, y, z, limit);
  if (free <= limit) return distanceToAny(x, y, z, ux, uy, uz, limit);
  let best: f64 = FAR;
  for (let k = 0; k < nearCount; k++) {
    const figure = figures[near[k]];
    const distance = Math.abs(figure.signedDistance(x, y, z));
    free = Math.min(free, distance);
    if (distance < limit && distance < best) best = Math.min(best, figure.crossing(x, y, z, ux, uy, uz));
  }
  safeX = x;
  safeY = y;
  safeZ = z;
  safeRadius = free;
  return best < limit ? best : FAR;
}

/** As `distanceToSurface`, by all figures: where more of them than `near` may be that close. */
function distanceToAny(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64, limit: f64): f64 {
  let best: f64 = FAR;
  for (let i = 0; i < figures.length; i++) best = Math.min(best, figures[i].crossing(x, y, z, ux, uy, uz));
  safeRadius = -1;
  return best < limit ? best : FAR;
}

/** Distance from a point outside the world to where a ray enters it, or FAR. */
export function distanceToWorld(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64): f64 {
  return figures[worldFigure].crossing(x, y, z, ux, uy, uz);
}
