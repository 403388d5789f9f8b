import { describe, expect, it } from '@jest/globals';
import { findMaterial } from '@tally/engine';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-d/deck/convert.js';
import { materialAt, numberOf, readSimDGeometry, readSimDParameters, valuesOf } from './decks/read-sim-d-deck.js';
import { GOLDEN_PROJECTS } from './golden/projects.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';
import { createProjectLocator, isInside, type Place, type Point } from './zones/locate-in-project.js';
import { engineZones, POINTS, randomPoints, regionOf } from './zones/sample-points.js';
import { ZONE_NAMES } from './zones/zone-projects.js';

const NAMES = [...ZONE_NAMES, 'materials', 'detectors'];
const RANDOM_PROJECTS = Number(process.env.TALLY_RANDOM_PROJECTS ?? 20);
const BLACK_HOLE_DENSITY = 1e8;
const VACUUM_DENSITY = 1e-25;

/** The world's own frame: the deck is in it. */
function worldFigure(project: Project) {
  const geometry = project.zoneManager.worldZone?.geometryData ?? project.figureManager.figures[0]?.geometryData;
  if (geometry === undefined) throw new Error('the project has no world figure');
  return geometry;
}

/** Answers, for a deck, what is wrong at a point where the project has `place`; `undefined` for nothing. */
function createChecker(project: Project): (point: Point, place: Place | undefined) => string | undefined {
  const parameters = readSimDParameters(convert(project).files['topas_config.txt'] ?? '');
  const geometry = readSimDGeometry(parameters);
  const world = worldFigure(project);
  const expected = ({ icru, density }: Place): { density: number; elements: string } => {
    if (icru === 0) return { density: BLACK_HOLE_DENSITY, elements: 'Element82' };
    if (icru === 1000) return { density: VACUUM_DENSITY, elements: 'Element1' };
    const elements = findMaterial(icru)?.composition.map(({ z }) => `Element${z}`) ?? [];
    return { density, elements: elements.join(' ') };
  };
  const contents = new Map<string, { density: number; elements: string }>();
  const contentOf = (material: string) => {
    const known = contents.get(material);
    if (known !== undefined) return known;
    const content = {
      density: numberOf(parameters, `Ma/${material}/Density`) ?? Number.NaN,
      elements: valuesOf(parameters, `Ma/${material}/Components`).join(' '),
    };
    contents.set(material, content);
    return content;
  };
  return (point, place) => {
    const local: Point = [point[0] - world.position[0], point[1] - world.position[1], point[2] - world.position[2]];
    const material = materialAt(geometry, local);
    if (place === undefined) {
      const density = material === undefined ? VACUUM_DENSITY : contentOf(material).density;
      return density === VACUUM_DENSITY ? undefined : 'matter outside the world';
    }
    if (material === undefined) return 'no material';
    const { density, elements } = expected(place);
    const found = contentOf(material);
    return found.density === density && found.elements === elements ? undefined : `${material} instead of ${elements}`;
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

describe('components of simD decks', () => {
  it.each(NAMES)(`of the project %s hold what the project says, at ${POINTS} points`, (name) => {
    const project = readProject(GOLDEN_PROJECTS[name]);
    expect(worldFigure(project).rotation).toEqual([0, 0, 0]);
    expect(faultsIn(project)).toEqual([]);
  });

  it.each(NAMES)(
    "of the project %s have one material in each of the engine's own zones, at 47³ points",
    async (name) => {
      const project = readProject(GOLDEN_PROJECTS[name]);
      const geometry = readSimDGeometry(readSimDParameters(convert(project).files['topas_config.txt'] ?? ''));
      const world = worldFigure(project);
      const { points, zones } = await engineZones(project);
      const materials = new Map<number, Set<string | undefined>>();
      for (const [index, point] of points.entries()) {
        const zone = zones[index];
        if ((zone !== undefined) !== isInside(world, point)) throw new Error(`the worlds differ at ${point.join(' ')}`);
        if (zone === undefined) continue;
        const [x, y, z] = world.position;
        const material = materialAt(geometry, [point[0] - x, point[1] - y, point[2] - z]);
        const found = materials.get(zone) ?? new Set();
        materials.set(zone, found.add(material));
      }
      for (const found of materials.values()) expect(found.size).toBe(1);
    },
  );

  it(`of random projects hold what the project says at ${POINTS} points each, where bodies can be put so at all`, () => {
    let converted = 0;
    fc.assert(
      fc.property(randomProject, (json) => {
        const project = readProject(keepGeometry(json));
        try {
          expect(faultsIn(project)).toEqual([]);
          converted += 1;
        } catch (err) {
          if (!(err instanceof ConversionError)) throw err;
          expect(err.reason).toBe('PROJECT_UNSUPPORTED');
        }
      }),
      { numRuns: RANDOM_PROJECTS },
    );
    expect(converted).toBeGreaterThan(RANDOM_PROJECTS / 2);
  });
});
