import { describe, expect, it } from '@jest/globals';
import type { TransportProblem } from '@tally/engine';
import { simulate } from '@tally/engine';
import { buildProject, IDS, type Json } from '../../../test/build-project.js';
import { ConversionError } from '../../conversion-error.js';
import { readProject } from '../../project/read-project.js';
import { createReferenceDriver } from '../../reference/reference-driver.js';
import { findDriver } from '../../registry.js';
import { SIM_TYPES } from '../../sim-type.js';

/** The tank of 20 cm in a world of 24 cm becomes one of 60 cm, from -20 to 40 cm. */
const LONG_TANK: Json = { '/figureManager/figures/0/geometryData/parameters/depth': 60 };
const MEDIA = {
  vacuum: { icru: 1000, density: 0 },
  'black hole': { icru: 0, density: 0 },
  air: { icru: 104, density: 0.00120479 },
} as const;

function worldOf({ icru, density }: { icru: number; density: number }): Json {
  return { '/materialManager/materials/1': { uuid: IDS.vacuum, name: 'MEDIUM', icru, density } };
}

function problemOf(changes: Json): { problem: TransportProblem; codes: string[] } {
  const { files, warnings } = createReferenceDriver('simA').convert(readProject(buildProject(changes)));
  const problem = JSON.parse(files['problem.json'] ?? '') as TransportProblem;
  return { problem, codes: warnings.map(({ code }) => code) };
}

describe('a zone that reaches beyond the world', () => {
  it.each(Object.entries(MEDIA))('is whole in a world of %s, which is extended with a warning', (_, medium) => {
    const { problem, codes } = problemOf({ ...LONG_TANK, ...worldOf(medium) });
    expect(codes).toEqual(['WORLD_EXTENDED']);
    const world = problem.figures[problem.world.figure];
    expect(world?.shape).toMatchObject({ type: 'box' });
    const [low, high] = world?.shape.type === 'box' ? [world.centerCm[2] - world.shape.sizeCm[2] / 2, world.centerCm[2] + world.shape.sizeCm[2] / 2] : []; // biome-ignore format: one line
    expect(low).toBeLessThanOrEqual(-20);
    expect(high).toBeGreaterThanOrEqual(40);
  });

  it('scores where it would have been cut off', async () => {
    const { problem } = problemOf({
      ...LONG_TANK,
      '/beam/position': [0, 0, 21],
      '/beam/energy': 200,
      '/detectorManager/detectors/0/geometryData/position': [0, 0, 30],
    });
    const { pages } = await simulate(problem, { primaries: 20, firstHistory: 0, seed: '1' });
    // the world ended at 22.5 cm
    expect([...(pages[0]?.moments[0] ?? [])].slice(-20).some((value) => value > 0)).toBe(true);
  });

  it.each([...SIM_TYPES, 'reference'] as const)(
    'is refused by %s in a world of matter, and in a hollow one',
    (name) => {
      const driver =
        name === 'reference' ? createReferenceDriver('simA') : findDriver(name, 'editor', new Map([[name, '']]));
      const isOfWater: Json = { '/zoneManager/worldZone/materialUuid': IDS.water };
      const isHollow: Json = { '/zoneManager/worldZone/geometryData/parameters/innerRadius': 0.5 };
      for (const change of [isOfWater, isHollow]) {
        const project = readProject(buildProject({ ...LONG_TANK, ...change }));
        const refusal = (() => {
          try {
            driver.convert(project);
          } catch (error) {
            return error;
          }
        })();
        expect(refusal).toBeInstanceOf(ConversionError);
        expect((refusal as ConversionError).items.map(({ path }) => path)).toContain(
          '/zoneManager/worldZone/geometryData',
        );
      }
    },
  );
});
