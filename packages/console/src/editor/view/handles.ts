import { type Object3D, Vector3 } from 'three';
import { type JsonObject, valueAt, vectorAt, withValueAt } from '../model/pointer.js';
import { placement } from './content.js';
import { appearanceOf } from './shapes.js';

export type HandleMode = 'translate' | 'rotate' | 'scale';

const SIZE_CM_MIN = 0.01;
const UPRIGHT = new Vector3(0, 0, 1);
/** To a hundredth of a millimetre: a hand is no finer. */
const round = (cm: number): number => Math.round(cm * 1e3) / 1e3;

/** Handles that a part can have. */
export function modesOf(pointer: string | undefined): readonly HandleMode[] {
  if (pointer === undefined) return [];
  if (pointer === '/beam') return ['translate', 'rotate'];
  if (pointer.startsWith('/figureManager/')) return ['translate', 'rotate', 'scale'];
  return pointer.startsWith('/detectorManager/') ? ['translate', 'scale'] : [];
}

/** Puts what the handles move to where a part of the project is. @returns whether it has a place */
export function placeHandle(handle: Object3D, project: JsonObject, pointer: string | undefined): boolean {
  if (pointer === undefined || modesOf(pointer).length === 0) return false;
  if (pointer === '/beam') {
    const direction = new Vector3(...vectorAt(project, '/beam/direction', [0, 0, 1]));
    handle.position.set(...vectorAt(project, '/beam/position'));
    handle.quaternion.setFromUnitVectors(UPRIGHT, direction.length() > 0 ? direction.normalize() : UPRIGHT);
    handle.scale.set(1, 1, 1);
    return true;
  }
  const part = valueAt(project, pointer);
  const appearance = part === undefined ? undefined : appearanceOf(part);
  if (appearance === undefined) return false;
  const { position, rotation, scale } = placement(part, appearance, pointer.startsWith('/figureManager/'));
  handle.position.copy(position);
  handle.rotation.copy(rotation);
  handle.scale.copy(scale);
  return true;
}

/** The project as the handles leave it. */
export function readHandle(handle: Object3D, project: JsonObject, pointer: string, mode: HandleMode): JsonObject {
  const place = handle.position.toArray().map(round);
  if (pointer === '/beam') {
    if (mode === 'translate') return withValueAt(project, '/beam/position', place);
    const direction = UPRIGHT.clone().applyQuaternion(handle.quaternion);
    return withValueAt(project, '/beam/direction', direction.toArray().map(round));
  }
  const at = `${pointer}/geometryData`;
  switch (mode) {
    case 'translate':
      return withValueAt(project, `${at}/position`, place);
    case 'rotate': {
      const { x, y, z } = handle.rotation; // its order is ZYX
      const degrees = [x, y, z].map((angle) => Math.round((angle * 1_800) / Math.PI) / 10);
      return withValueAt(project, `${at}/rotation`, degrees);
    }
    case 'scale':
      return withSizes(project, pointer, handle.scale);
  }
}

function withSizes(project: JsonObject, pointer: string, scale: Vector3): JsonObject {
  const before = appearanceOf(valueAt(project, pointer));
  if (before === undefined) return project;
  const [x = 1, y = 1, z = 1] = scale.toArray().map((size) => Math.max(SIZE_CM_MIN, round(Math.abs(size))));
  const radius = (...sizes: number[]) => furthest(sizes, before.size[0]);
  const sizes: Readonly<Record<string, number>> =
    before.form === 'box'
      ? { width: x, height: y, depth: z }
      : before.form === 'sphere'
        ? { radius: radius(x, y, z) }
        : { radius: radius(x, y), depth: z };
  return Object.entries(sizes).reduce((changed, [name, size]) => {
    const place = `${pointer}/geometryData/parameters/${name}`;
    return valueAt(changed, place) === size ? changed : withValueAt(changed, place, size);
  }, project);
}

/** Of sizes that are one, the one that was moved. */
const furthest = (sizes: readonly number[], before: number): number =>
  sizes.reduce((one, other) => (Math.abs(other - before) > Math.abs(one - before) ? other : one), before);
