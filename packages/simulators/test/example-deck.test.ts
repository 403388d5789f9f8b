import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findDriver, readProject } from '../src/index.js';

const EXAMPLES = path.join(import.meta.dirname, '../../../examples');

describe('the example deck of simA', () => {
  it('is what the converter makes of the example project of the same name', () => {
    const project = JSON.parse(readFileSync(path.join(EXAMPLES, 'proton-150mev-water.json'), 'utf8')) as unknown;
    const driver = findDriver('simA', 'editor', new Map([['simA', '']]));
    const { 'manifest.json': _, ...deck } = driver.convert(readProject(project)).files;
    const folder = path.join(EXAMPLES, 'proton-150mev-water-simA');
    const files = readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
    expect(Object.fromEntries(files)).toEqual(deck);
  });
});
