import { describe, expect, it } from '@jest/globals';
import { findMaterial } from '@tally/engine';
import fc from 'fast-check';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-c/deck/convert.js';
import { findVolume, readSimCGeometry, type SimCGeometry } from './decks/read-sim-c-geometry.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';
import { createProjectLocator, type Place, type Point } from './zones/locate-in-project.js';
import { engineZones, POINTS, randomPoints, regionOf } from './zones/sample-points.js';
import { ENGINE_NAMES, NESTED_ZONE_NAMES, PROJECTS } from './zones/zone-projects.js';

const RANDOM_PROJECTS = Number(process.env.TALLY_RANDOM_PROJECTS ?? 8);
/** The box of vacuum that a world may stand in. */
const SURROUNDINGS = 'logicSurroundings';

function readGeometry(project: Project): SimCGeometry {
  return readSimCGeometry(convert(project).files['geometry.gdml'] ?? '');
}

/** The project's volume that a point is in; nothing outside its world. */
function volumeAt(geometry: SimCGeometry, point: Point): string | undefined {
  const volume = findVolume(geometry, point);
  return volume === SURROUNDINGS ? undefined : volume;
}

function densityIn(geometry: SimCGeometry, volume: string): number {
  const material = geometry.volumes.get(volume)?.material ?? '';
  return geometry.materials.get(material)?.densityGcm3 ?? 0;
}

/** Every point at which there is no volume, another one than before for the same zone, or another density. */
function faultsIn(project: Project): string[] {
  const geometry = readGeometry(project);
  const locate = createProjectLocator(project);
  const volumeOfZone = new Map<number, string>();
  const fault = (point: Point, place: Place | undefined): string | undefined => {
    const volume = volumeAt(geometry, point);
    if (place === undefined) return volume === undefined ? undefined : `${volume} outside the world`;
    if (volume === undefined) return 'no volume';
    const known = volumeOfZone.get(place.zone) ?? volume;
    volumeOfZone.set(place.zone, known);
    if (known !== volume) return `${volume} instead of ${known}`;
    // a black hole is very dense and has no density in the project
    if (place.icru === 0) return densityIn(geometry, volume) === 1e8 ? undefined : `${volume} is no black hole`;
    const expected = place.density > 0 ? place.density : (findMaterial(place.icru)?.densityGcm3 ?? 0);
    const density = densityIn(geometry, volume);
    return Math.abs(density - expected) <= 1e-12 * expected ? undefined : `${density} g/cm³ instead of ${expected}`;
  };
  const faults = randomPoints(regionOf(project)).flatMap((point) => {
    const text = fault(point, locate(point));
    return text === undefined ? [] : [`${point.join(' ')}: ${text}`];
  });
  // two zones in one volume would have gone unseen
  if (new Set(volumeOfZone.values()).size < volumeOfZone.size) faults.push('two zones are one volume');
  return faults;
}

describe('volumes of simC geometries', () => {
  it.each(NESTED_ZONE_NAMES)(
    `of the project %s hold what the project says, without overlaps, at ${POINTS} points`,
    (name) => {
      expect(faultsIn(readProject(PROJECTS[name]))).toEqual([]);
    },
  );

  it.each(ENGINE_NAMES)("of the project %s are the engine's own zones, at 47³ points", async (name) => {
    const project = readProject(PROJECTS[name]);
    const geometry = readGeometry(project);
    const { points, zones } = await engineZones(project);
    const pairs = new Set(
      points.map((point, index) => `${zones[index] ?? 'outside'} ${volumeAt(geometry, point) ?? ''}`),
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
