import { describe, expect, it } from '@jest/globals';
import { findMaterial } from '@tally/engine';
import fc from 'fast-check';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-a/deck/convert.js';
import { readSimAGeometry, readSimAMedia, type SimAZone, zonesAt } from './decks/read-sim-a-deck.js';
import { GOLDEN_PROJECTS } from './golden/projects.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';
import { createProjectLocator, type Place, type Point } from './zones/locate-in-project.js';
import { engineZones, POINTS, randomPoints, regionOf } from './zones/sample-points.js';
import { ZONE_NAMES } from './zones/zone-projects.js';

const NAMES = [...ZONE_NAMES, 'materials'];
const RANDOM_PROJECTS = Number(process.env.TALLY_RANDOM_PROJECTS ?? 8);

/** Answers, for a deck, what is wrong at a point where the project has `place`; `undefined` for nothing. */
function createChecker(project: Project): (point: Point, place: Place | undefined) => string | undefined {
  const { files } = convert(project);
  const geometry = readSimAGeometry(files['geo.dat'] ?? '');
  const media = readSimAMedia(files['mat.dat'] ?? '');
  const numbers = new Map<number, number>();
  const describeMedium = ({ medium }: SimAZone): { icru: number; density: number } => {
    if (medium === 0 || medium === 1000) return { icru: medium, density: 0 };
    const entry = media.get(medium);
    const icru = Number(entry?.get('ICRU'));
    return { icru, density: Number(entry?.get('RHO') ?? findMaterial(icru)?.densityGcm3) };
  };
  return (point, place) => {
    const zones = zonesAt(geometry, point);
    if (zones.length > 1) return `zones ${zones.map(({ number }) => number).join(' and ')} overlap`;
    const [zone] = zones;
    if (place === undefined) return zone === undefined || zone.medium === 0 ? undefined : 'matter outside the world';
    if (zone === undefined) return 'no zone';
    const known = numbers.get(place.zone) ?? zone.number;
    numbers.set(place.zone, known);
    if (known !== zone.number) return `zone ${zone.number} instead of ${known}`;
    const { icru, density } = describeMedium(zone);
    return icru === place.icru && density === place.density ? undefined : `material ${icru} of ${density} g/cm³`;
  };
}

function faultsIn(project: Project): string[] {
  const locate = createProjectLocator(project);
  const check = createChecker(project);
  return randomPoints(regionOf(project)).flatMap((point) => {
    const fault = check(point, locate(point));
    return fault === undefined ? [] : [`${point.join(' ')}: ${fault}`];
  });
}

describe('zones of simA decks', () => {
  it.each(NAMES)(`of the project %s hold what the project says, at ${POINTS} points`, (name) => {
    expect(faultsIn(readProject(GOLDEN_PROJECTS[name]))).toEqual([]);
  });

  it.each(NAMES)("of the project %s are the engine's own zones, at 47³ points", async (name) => {
    const project = readProject(GOLDEN_PROJECTS[name]);
    const geometry = readSimAGeometry(convert(project).files['geo.dat'] ?? '');
    const { points, zones } = await engineZones(project);
    const numbers = new Map<number | undefined, Set<number>>();
    for (const [index, point] of points.entries()) {
      const zone = zones[index];
      const found = zonesAt(geometry, point).map(({ number }) => number);
      if (zone !== undefined && found.length !== 1) throw new Error(`${found.length} zones at ${point.join(' ')}`);
      const all = numbers.get(zone) ?? new Set();
      numbers.set(zone, all);
      for (const number of found) all.add(number);
    }
    const inside = [...numbers].filter(([zone]) => zone !== undefined);
    for (const [, found] of inside) expect(found.size).toBe(1);
    expect(new Set(inside.flatMap(([, found]) => [...found])).size).toBe(inside.length);
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
