import { type Detector, simulate, type TransportProblem } from '@tally/engine';
import type { Project } from '../../src/project/project.js';
import { convert } from '../../src/reference/convert.js';
import { createRandom } from '../output/mutate.js';
import type { Point } from './locate-in-project.js';

/** Points of one project: enough that a wrong surface is hit. */
export const POINTS = 100_000;

/** A box that points are drawn from, cm. */
export interface Region {
  readonly center: Point;
  readonly size: Point;
}

/** Twice the world's box, so that points outside it come too. */
export function regionOf(project: Project): Region {
  const figures = project.figureManager.figures.map(({ geometryData }) => geometryData);
  const world = project.zoneManager.worldZone?.geometryData ?? figures[0];
  if (world === undefined) throw new Error('the project has no world figure');
  const reach = Math.max(...Object.values(world.parameters as Record<string, number>)) * 1.2;
  return { center: world.position, size: [reach, reach, reach].map((edge) => 2 * edge) as unknown as Point };
}

/** Equal in every run. */
export function randomPoints(region: Region): Point[] {
  const random = createRandom(88_172_645);
  // two numbers of 32 bits: no coordinate comes twice
  const uniform = (): number => random() + random() / 2 ** 32;
  const coordinate = (axis: 0 | 1 | 2): number => region.center[axis] + (uniform() - 0.5) * region.size[axis];
  return Array.from({ length: POINTS }, (): Point => [coordinate(0), coordinate(1), coordinate(2)]);
}

/**
 * Zones as the engine's own geometry has them, at the bin centres of a lattice that falls together with nothing: index
 * of the zone, the number of zones for the world, `undefined` outside.
 */
export async function engineZones(project: Project): Promise<{ points: Point[]; zones: (number | undefined)[] }> {
  const region = regionOf(project);
  const { files } = convert(project, 'simA');
  const problem = JSON.parse(files['problem.json'] ?? '') as TransportProblem;
  const bins = 47;
  const center: Point = [region.center[0] + 0.0123, region.center[1] - 0.0217, region.center[2] + 0.0311];
  const lattice: Detector = {
    type: 'mesh',
    name: 'lattice',
    centerCm: center,
    sizeCm: region.size,
    segments: [bins, bins, bins],
  };
  const output = await simulate(
    {
      ...problem,
      detectors: [lattice],
      outputs: [
        { name: 'zones', detector: 0, quantities: [{ name: 'zone', keyword: 'ZONE', modifiers: [], scale: 1 }] },
      ],
    },
    { primaries: 1, firstHistory: 0, seed: '1' },
  );
  const [page] = output.pages;
  const [xs = [], ys = [], zs = []] = page?.axes.map(({ centers }) => centers) ?? [];
  const points = zs.flatMap((z) => ys.flatMap((y) => xs.map((x): Point => [x, y, z])));
  const zones = Array.from(page?.moments[0] ?? [], (zone) => (zone === 0 ? undefined : zone - 1));
  return { points, zones };
}
