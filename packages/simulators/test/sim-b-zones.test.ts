import { describe, expect, it } from '@jest/globals';
import { findMaterial } from '@tally/engine';
import fc from 'fast-check';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-b/deck/convert.js';
import { findRegions, readSimBDeck, type SimBDeck } from './decks/read-sim-b-deck.js';
import { readSimBMaterials } from './decks/read-sim-b-materials.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';
import { createProjectLocator, type Place, type Point } from './zones/locate-in-project.js';
import { engineZones, POINTS, randomPoints, regionOf } from './zones/sample-points.js';
import { ENGINE_NAMES, NESTED_ZONE_NAMES, PROJECTS } from './zones/zone-projects.js';

const RANDOM_PROJECTS = Number(process.env.TALLY_RANDOM_PROJECTS ?? 8);
const BOUNDARY = 'boundary';

function readDeck(project: Project): SimBDeck {
  return readSimBDeck(convert(project).files['fl_sim.inp'] ?? '');
}

/** Regions that a point is in, the one outside the outermost body left out: there is nothing in the simulator. */
function regionsAt(deck: SimBDeck, point: Point): string[] {
  return findRegions(deck, point).filter((region) => region !== BOUNDARY);
}

function densityOf(icru: number): number {
  return findMaterial(icru)?.densityGcm3 ?? 0;
}

/** Every point at which the deck has no region, two, another one than before for the same zone, or another density. */
function faultsIn(project: Project): string[] {
  const deck = readDeck(project);
  const densities = readSimBMaterials(deck);
  const locate = createProjectLocator(project);
  const regionOfZone = new Map<number, string>();
  const fault = (point: Point, place: Place | undefined): string | undefined => {
    const [region, ...others] = regionsAt(deck, point);
    if (others.length > 0) return `${region ?? ''} and ${others.join()} overlap`;
    if (place === undefined) return region === undefined ? undefined : `${region} outside the world`;
    if (region === undefined) return 'no region';
    const known = regionOfZone.get(place.zone) ?? region;
    regionOfZone.set(place.zone, known);
    if (known !== region) return `${region} instead of ${known}`;
    const density = densities.densityOfRegion(region);
    const expected = place.density > 0 ? place.density : densityOf(place.icru);
    return Math.abs(density - expected) <= 1e-6 * expected ? undefined : `${density} g/cm³ instead of ${expected}`;
  };
  const points = randomPoints(regionOf(project));
  const faults = points.flatMap((point) => {
    const text = fault(point, locate(point));
    return text === undefined ? [] : [`${point.join(' ')}: ${text}`];
  });
  // two zones in one region would have gone unseen
  if (new Set(regionOfZone.values()).size < regionOfZone.size) faults.push('two zones are one region');
  return faults;
}

describe('regions of simB decks', () => {
  it.each(NESTED_ZONE_NAMES)(`of the project %s hold what the project says, at ${POINTS} points`, (name) => {
    expect(faultsIn(readProject(PROJECTS[name]))).toEqual([]);
  });

  it.each(ENGINE_NAMES)("of the project %s are the engine's own zones, at 47³ points", async (name) => {
    const project = readProject(PROJECTS[name]);
    const deck = readDeck(project);
    const { points, zones } = await engineZones(project);
    const pairs = new Set(
      points.map((point, index) => `${zones[index] ?? 'outside'} ${regionsAt(deck, point).join()}`),
    );
    const all = new Set(zones.map((zone) => zone ?? 'outside'));
    expect(pairs.size).toBe(all.size);
    expect([...pairs].filter((pair) => pair.startsWith('outside'))).toEqual(['outside ']);
    expect(new Set([...pairs].map((pair) => pair.split(' ')[1])).size).toBe(all.size);
  });

  it(`of random projects hold what the project says, at ${POINTS} points each`, () => {
    fc.assert(
      fc.property(randomProject, (json) => {
        expect(faultsIn(readProject(keepGeometry(json)))).toEqual([]);
      }),
      { numRuns: RANDOM_PROJECTS },
    );
  });
});
