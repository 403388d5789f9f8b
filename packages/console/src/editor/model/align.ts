import { boundsOf, roundCm } from './bounds.js';
import { type JsonObject, valueAt, vectorAt, withValueAt } from './pointer.js';

/** Onto the beam; before or behind another figure, face to face along z; around the same middle. */
export type AlignTo = 'beam' | 'before' | 'behind' | 'center';

/** The project with a figure or detector moved to where it is aligned; along z, before is where z is less. */
export function align(project: JsonObject, pointer: string, to: AlignTo, other?: string): JsonObject {
  const at = `${pointer}/geometryData/position`;
  const [x, y, z] = vectorAt(project, at);
  const target = other === undefined ? undefined : valueAt(project, other);
  const half = (boundsOf(valueAt(project, pointer)).upper[2] - boundsOf(valueAt(project, pointer)).lower[2]) / 2;
  const move = (position: readonly [number, number, number]) => withValueAt(project, at, position.map(roundCm));
  if (to === 'beam') {
    const start = vectorAt(project, '/beam/position');
    const direction = vectorAt(project, '/beam/direction', [0, 0, 1]);
    if (direction[2] === 0) return move([x, start[1], start[2]]);
    const along = (z - start[2]) / direction[2];
    return move([start[0] + along * direction[0], start[1] + along * direction[1], z]);
  }
  if (target === undefined) return project;
  const { lower, upper } = boundsOf(target);
  if (to === 'center') return move(vectorAt(target, '/geometryData/position'));
  return move([x, y, to === 'before' ? lower[2] - half : upper[2] + half]);
}
