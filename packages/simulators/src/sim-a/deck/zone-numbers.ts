import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';
import type { BodyGeometry } from '../../deck/geometry/zone-terms.js';

/** Numbers of zones in `geo.dat`, from 1; zones without volume have none. */
export interface ZoneNumbers {
  /** By the zone's uuid in the project. */
  find(uuid: string): number | undefined;
  /** By the zone's index in the geometry; the world's is the number of zones. */
  at(index: number): number | undefined;
}

export function numberZones(geometry: ConvertedGeometry, bodies: BodyGeometry): ZoneNumbers {
  const numbers = new Map<number, number>();
  for (const [index, terms] of [...bodies.zones, bodies.world].entries()) {
    if (terms.length > 0) numbers.set(index, numbers.size + 1);
  }
  const at = (index: number): number | undefined => numbers.get(index);
  return {
    at,
    find(uuid) {
      const index = geometry.zoneIndexes.get(uuid);
      return index === undefined ? undefined : at(index);
    },
  };
}
