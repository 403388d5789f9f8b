import type { TransportProblem } from '@tally/engine';

/** The geometric part of a problem, and where the project's zones are in it. */
export interface ConvertedGeometry extends Pick<TransportProblem, 'figures' | 'zones' | 'world'> {
  /** Index by the zone's uuid; the world's is the number of zones. Zones without volume are not in it. */
  readonly zoneIndexes: ReadonlyMap<string, number>;
}
