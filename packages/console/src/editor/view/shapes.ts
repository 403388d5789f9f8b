import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Shape as Outline,
  Path,
  SphereGeometry,
} from 'three';
import { shapeOf } from '../model/bounds.js';
import { numberAt, textAt, type Vector } from '../model/pointer.js';

/** What a part of a project looks like: a form of size one, and its sizes, cm. */
export interface Appearance {
  readonly form: 'box' | 'cylinder' | 'sphere' | 'tube';
  readonly size: Vector;
  /** Inner radius over radius, of a tube. */
  readonly hole: number;
}

const positive = (value: number): number => Math.max(1e-4, Math.abs(value));

/** The appearance of a figure, the world or a detector; `undefined` where it has no place of its own. */
export function appearanceOf(part: unknown): Appearance | undefined {
  const type = textAt(part, '/geometryData/geometryType');
  if (type === 'Zone' || type === 'All') return undefined;
  const size = (name: string) => positive(numberAt(part, `/geometryData/parameters/${name}`, 1));
  const shape = type === 'Cyl' ? 'cylinder' : shapeOf(part);
  if (shape === 'sphere') return { form: 'sphere', size: [size('radius'), size('radius'), size('radius')], hole: 0 };
  if (shape === 'box') return { form: 'box', size: [size('width'), size('height'), size('depth')], hole: 0 };
  const inner = numberAt(part, '/geometryData/parameters/innerRadius');
  const hole = inner > 0 && inner < size('radius') ? inner / size('radius') : 0;
  return { form: hole > 0 ? 'tube' : 'cylinder', size: [size('radius'), size('radius'), size('depth')], hole };
}

const SIDES = 40;
const surfaces = new Map<string, BufferGeometry>();

/** The surface of a form of size one, shared by all that appearance so. */
export function surfaceOf({ form, hole }: Appearance): BufferGeometry {
  const key = form === 'tube' ? `tube ${hole.toFixed(4)}` : form;
  const before = surfaces.get(key);
  if (before !== undefined) return before;
  const made = makeSurface(form, hole);
  surfaces.set(key, made);
  return made;
}

function makeSurface(form: Appearance['form'], hole: number): BufferGeometry {
  switch (form) {
    case 'box':
      return new BoxGeometry(1, 1, 1);
    case 'cylinder':
      return new CylinderGeometry(1, 1, 1, SIDES).rotateX(Math.PI / 2); // along z
    case 'sphere':
      return new SphereGeometry(1, SIDES, SIDES / 2);
    case 'tube': {
      const outline = new Outline();
      outline.absarc(0, 0, 1, 0, 2 * Math.PI, false);
      const inside = new Path();
      inside.absarc(0, 0, hole, 0, 2 * Math.PI, true);
      outline.holes.push(inside);
      const options = { depth: 1, bevelEnabled: false, curveSegments: SIDES / 2 };
      return new ExtrudeGeometry(outline, options).translate(0, 0, -0.5);
    }
  }
}

const lines = new Map<string, Float32Array>();

/** Ends of the lines that draw a form of size one, three numbers each, two ends a line. */
export function linesOf({ form, hole }: Appearance): Float32Array {
  const key = form === 'tube' ? `tube ${hole.toFixed(4)}` : form;
  const before = lines.get(key);
  if (before !== undefined) return before;
  const made = new Float32Array(makeLines(form, hole).flat());
  lines.set(key, made);
  return made;
}

function makeLines(form: Appearance['form'], hole: number): Vector[] {
  switch (form) {
    case 'box':
      return boxLines();
    case 'sphere':
      return [circle(1, 0), circle(1, 0).map(turnX), circle(1, 0).map(turnY)].flat();
    case 'cylinder':
      return [circle(1, -0.5), circle(1, 0.5), sides(1)].flat();
    case 'tube':
      return [circle(1, -0.5), circle(1, 0.5), circle(hole, -0.5), circle(hole, 0.5), sides(1)].flat();
  }
}

const turnX = ([x, y, z]: Vector): Vector => [x, z, y];
const turnY = ([x, y, z]: Vector): Vector => [z, y, x];

function boxLines(): Vector[] {
  const ends = [-0.5, 0.5];
  const pairs = ends.flatMap((a) => ends.map((b) => [a, b] as const));
  return pairs.flatMap(([a, b]): Vector[] => [
    [-0.5, a, b],
    [0.5, a, b],
    [a, -0.5, b],
    [a, 0.5, b],
    [a, b, -0.5],
    [a, b, 0.5],
  ]);
}

function circle(radius: number, z: number): Vector[] {
  const at = (i: number): Vector => {
    const angle = (2 * Math.PI * i) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  };
  return Array.from({ length: SIDES }, (_, i) => [at(i), at(i + 1)]).flat();
}

function sides(radius: number): Vector[] {
  return [0, 1, 2, 3].flatMap((i): Vector[] => {
    const angle = (Math.PI * i) / 2;
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return [
      [x, y, -0.5],
      [x, y, 0.5],
    ];
  });
}
