import { describe, expect, it } from '@jest/globals';
import { buildProject, IDS, type Json } from '../../test/build-project.js';
import { ConversionError } from '../conversion-error.js';
import { convertProject } from '../convert-project.js';
import type { SimulatorDriver } from '../driver.js';
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

/** Spheres, each a zone that is named like all others. */
function spheres(count: number, placeOf: (at: number) => readonly number[], radius: number): Json {
  const figures = Array.from({ length: count }, (_, at) => {
    const geometryData = {
      geometryType: 'SphereGeometry',
      position: [...placeOf(at)],
      rotation: [0, 0, 0],
      parameters: { radius },
    };
    return { type: 'SphereFigure', uuid: `f${at}`, name: 'sphere', geometryData };
  });
  const zones = figures.map(({ uuid }, at) => ({
    uuid: `z${at}`,
    name: 'zone',
    materialUuid: IDS.water,
    unionOperations: [[{ mode: 'union', objectUuid: uuid }]],
  }));
  return buildProject({ '/figureManager/figures': figures, '/zoneManager/zones': zones });
}

const apart = (count: number) =>
  spheres(
    count,
    (at) => [0.3 * (at % 10) - 1.35, 0.3 * (Math.floor(at / 10) % 10) - 1.35, 5 + 0.3 * Math.floor(at / 100)],
    0.1,
  );
const heaped = (count: number) =>
  spheres(count, (at) => [0.3 * Math.sin(at * 7.3), 0.3 * Math.cos(at * 3.1), 10 + 0.3 * Math.sin(at * 1.7)], 1);
const inLine = (count: number) => spheres(count, (at) => [0, 0, 1 + (18 * at) / count], 0.5);

/** Of a processor, seconds, as a bound: many times what a conversion with all of its steps takes. */
const PROCESSOR_SECONDS_MAX = 20;

/** The reason of a refusal; undefined: it was converted. */
function convertIn(
  driver: SimulatorDriver,
  json: Json,
): { readonly reason: string | undefined; readonly seconds: number } {
  const project = readProject(json);
  const begun = process.cpuUsage();
  let reason: string | undefined;
  try {
    convertProject(driver, project, 'omit');
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    reason = err.reason;
  }
  const { user, system } = process.cpuUsage(begun);
  return { reason, seconds: (user + system) / 1e6 };
}

describe.each(DRIVERS)('a deck of %s', (name, driver) => {
  it('has room for hundreds of figures that lie apart', () => {
    expect(convertIn(driver, apart(400)).reason).toBeUndefined();
  });

  it.each([
    ['in a heap', heaped(120)],
    ['in a line', inLine(250)],
  ])('has room for hundreds of figures that cut each other, %s', (_how, json) => {
    // simD has no boolean solids, and too few parallel worlds for these
    expect(convertIn(driver, json).reason).toBe(name === 'simD' ? 'PROJECT_UNSUPPORTED' : undefined);
  });

  it('is given up where a thousand figures cut each other, before that takes long', () => {
    const { reason, seconds } = convertIn(driver, heaped(1_000));
    expect(reason).toBe('PROJECT_TOO_LARGE');
    expect(seconds).toBeLessThan(PROCESSOR_SECONDS_MAX);
  });

  it('is given up where figures overlap so that it would take minutes', () => {
    const { reason, seconds } = convertIn(driver, overlapping(36, 4));
    expect(reason).toBe('PROJECT_TOO_LARGE');
    expect(seconds).toBeLessThan(PROCESSOR_SECONDS_MAX);
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
