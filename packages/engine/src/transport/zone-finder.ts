import type { TransportProblem } from '../problem/problem.js';
import { geometryCalls, loadTransportModule, type SetupCall } from './setup-calls.js';

/** Where matter is, and nothing else of a problem. */
export type ProblemGeometry = Pick<TransportProblem, 'materials' | 'figures' | 'zones' | 'world'>;

/**
 * Finds zones as the transport does: of a point, cm, the index of its zone, the number of zones for the world, −1 outside.
 * Which materials there are has no part in it.
 */
export function createZoneFinder(geometry: ProblemGeometry): (x: number, y: number, z: number) => number {
  const materials = geometry.materials.map((): SetupCall => ['addMaterial', 0, 0, 0, 0, 0]);
  const module = loadTransportModule([...materials, ...geometryCalls(geometry)]);
  return (x, y, z) => module.call('locate', x, y, z);
}
