import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';

/** What components are filled with: a material, or a zone that something is scored in and that is told by its own. */
export interface Fill {
  readonly material: number;
  /** Index of the zone; the world's is the number of zones. */
  readonly zone?: number;
}

/** Fills of the geometry: zones of one material share one, unless they are scored. */
export interface FillTable {
  readonly fills: readonly Fill[];
  /** Index of the fill of a zone. */
  ofZone(zone: number): number;
}

export function createFillTable(geometry: ConvertedGeometry, scoredZones: ReadonlySet<number>): FillTable {
  const fills: Fill[] = [];
  const materials = [...geometry.zones.map(({ material }) => material), geometry.world.material];
  const indexes = materials.map((material, zone) => {
    const fill: Fill = scoredZones.has(zone) ? { material, zone } : { material };
    const known = fills.findIndex((other) => other.material === fill.material && other.zone === fill.zone);
    return known === -1 ? fills.push(fill) - 1 : known;
  });
  return { fills, ofZone: (zone) => indexes[zone] ?? 0 };
}
