import { describe, expect, it } from '@jest/globals';
import { buildProject, IDS, type Json } from '../../test/build-project.js';
import { convertProject } from '../convert-project.js';
import { readProject } from '../project/read-project.js';
import { createSimADriver } from '../sim-a/sim-a-driver.js';
import { createSimBDriver } from '../sim-b/sim-b-driver.js';
import { createSimCDriver } from '../sim-c/sim-c-driver.js';
import { createSimDDriver } from '../sim-d/sim-d-driver.js';
import { limitSteps, spendSteps, tryWithinSteps } from './steps.js';

const DRIVERS = [
  ['simA', createSimADriver('')],
  ['simB', createSimBDriver('')],
  ['simC', createSimCDriver('')],
  ['simD', createSimDDriver('')],
] as const;
const TOO_LARGE = expect.objectContaining({ reason: 'PROJECT_TOO_LARGE' });

/** Spheres that all cut each other, in zones whose unions grow and are taken from the next figure. */
function overlapping(figureCount: number, zoneCount: number): Json {
  const figures = Array.from({ length: figureCount }, (_, at) => {
    const position = [0.3 * Math.sin(at * 7.3), 0.3 * Math.cos(at * 3.1), 10 + 0.3 * Math.sin(at * 1.7)];
    const geometryData = { geometryType: 'SphereGeometry', position, rotation: [0, 0, 0], parameters: { radius: 1 } };
    return { type: 'SphereFigure', uuid: `f${at}`, name: `sphere ${at}`, geometryData };
  });
  const perZone = figureCount / zoneCount;
  const zones = Array.from({ length: zoneCount }, (_, zone) => ({
    uuid: `z${zone}`,
    name: `zone ${zone}`,
    materialUuid: IDS.water,
    unionOperations: [
      Array.from({ length: 2 * figureCount }, (_operation, at) => ({
        mode: ['union', 'intersection', 'union', 'reverse-subtraction'][at % 4],
        objectUuid: `f${(zone * perZone + 5 * at) % figureCount}`,
      })),
    ],
  }));
  return buildProject({ '/figureManager/figures': figures, '/zoneManager/zones': zones });
}

describe.each(DRIVERS)('a deck of %s', (_name, driver) => {
  it('is given up where figures overlap so that it would take minutes', () => {
    const project = readProject(overlapping(36, 4));
    const begun = process.cpuUsage();
    expect(() => convertProject(driver, project, 'omit')).toThrow(TOO_LARGE);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});

describe('steps', () => {
  it('are counted for what runs and for what it runs in', () => {
    const inner = () => limitSteps(10, () => spendSteps(6));
    expect(() => limitSteps(10, inner)).not.toThrow();
    expect(() =>
      limitSteps(10, () => {
        inner();
        inner();
      }),
    ).toThrow(TOO_LARGE);
    expect(() => spendSteps(1_000)).not.toThrow(); // nothing counts any more
  });

  it('that are too many are so also for work that goes on all the same', () => {
    const stubborn = () => {
      try {
        spendSteps(11);
      } catch {
        return 'all the same';
      }
      return 'done';
    };
    expect(tryWithinSteps(10, stubborn)).toBeUndefined();
    expect(tryWithinSteps(11, stubborn)).toEqual({ result: 'done' });
  });
});
