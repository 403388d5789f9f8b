import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { Conversion } from '../src/driver.js';
import type { Project } from '../src/project/project.js';
import { convert as convertSimA } from '../src/sim-a/deck/convert.js';
import { convert as convertSimB } from '../src/sim-b/deck/convert.js';
import { convert as convertSimC } from '../src/sim-c/deck/convert.js';
import { convert as convertSimD } from '../src/sim-d/deck/convert.js';
import { convertGolden, listGoldenNames, readGolden } from './golden/golden-decks.js';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden');
const DRIVERS: readonly (readonly [driver: string, convert: (project: Project) => Conversion])[] = [
  ['sim-a', convertSimA],
  ['sim-b', convertSimB],
  ['sim-c', convertSimC],
  ['sim-d', convertSimD],
];
/** Of every driver at least so many golden projects become decks. */
const CONVERTED_MIN = 12;

describe.each(DRIVERS)('%s', (driver, convert) => {
  const names = listGoldenNames(driver);

  it.each(names)('converts or refuses the project %s as it was reviewed', (name) => {
    expect(convertGolden(convert, name)).toEqual(readGolden(ROOT, driver, name));
  });

  it(`converts at least ${CONVERTED_MIN} of them`, () => {
    const decks = names.filter((name) => !('refused.json' in readGolden(ROOT, driver, name)));
    expect(decks.length).toBeGreaterThanOrEqual(CONVERTED_MIN);
  });
});
