import { expect } from '@jest/globals';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { randomProject } from './random-project.js';
import { keepGeometry } from './zones/keep-geometry.js';

/**
 * Random projects become decks that can be read, or are refused with what cannot be done, and not all of them are.
 * @param readBack - converts a project and reads the deck
 */
export function expectReadOrRefused(readBack: (project: Project) => void): void {
  let converted = 0;
  fc.assert(
    fc.property(randomProject, fc.boolean(), (json, isPlain) => {
      try {
        readBack(readProject(isPlain ? keepGeometry(json) : json));
        converted += 1;
      } catch (err) {
        if (!(err instanceof ConversionError)) throw err;
        expect(err.reason).toBe('PROJECT_UNSUPPORTED');
        expect(err.items.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 40 },
  );
  expect(converted).toBeGreaterThan(10);
}
