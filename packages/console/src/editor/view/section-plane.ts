import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  SRGBColorSpace,
} from 'three';
import type { Section } from '../check/messages.js';
import { colorOf } from '../model/materials.js';
import type { Vector } from '../model/pointer.js';

const ALPHA = 240;

/** A section as a picture at its place in space; outside the world it is clear. */
export function drawSection({ plane, columns, rows, points, materials }: Section): Mesh {
  const colors = materials.map(({ icru }) => new Color(colorOf(icru)).getHex());
  const pixels = new Uint8Array(4 * columns * rows);
  for (const [i, material] of points.entries()) {
    const hex = colors[material];
    if (hex !== undefined) pixels.set([hex >> 16, (hex >> 8) & 0xff, hex & 0xff, ALPHA], 4 * i);
  }
  const texture = new DataTexture(pixels, columns, rows);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const;
  const at = ([s, t]: readonly [number, number]): Vector => {
    const first = plane.lower[0] + s * (plane.upper[0] - plane.lower[0]);
    const second = plane.lower[1] + t * (plane.upper[1] - plane.lower[1]);
    if (plane.axis === 0) return [plane.at, first, second];
    return plane.axis === 1 ? [first, plane.at, second] : [first, second, plane.at];
  };
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners.flatMap(at)), 3));
  geometry.setAttribute('uv', new BufferAttribute(new Float32Array(corners.flat()), 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return new Mesh(geometry, new MeshBasicMaterial({ map: texture, side: DoubleSide, transparent: true }));
}
