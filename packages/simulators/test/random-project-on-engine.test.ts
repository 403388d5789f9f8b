import { describe, expect, it } from '@jest/globals';
import { simulate, type TransportProblem } from '@tally/engine';
import { mergePage } from '@tally/merge';
import fc from 'fast-check';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/reference/convert.js';
import { randomProject } from './random-project.js';

/** More of them: `TALLY_RANDOM_PROJECTS=500`. */
const PROJECTS = Number(process.env.TALLY_RANDOM_PROJECTS ?? 40);

describe('random projects', () => {
  it('are converted, simulated and merged without a lost particle or a number that is not finite', async () => {
    await fc.assert(
      fc.asyncProperty(randomProject, async (json) => {
        const project = readProject(json);
        const problem = JSON.parse(convert(project, 'simA').files['problem.json'] ?? '') as TransportProblem;
        const { numberOfParticles: primaries } = project.beam;
        const { pages, batches, counters } = await simulate(problem, { primaries, firstHistory: 0, seed: '9' });
        expect(counters).toMatchObject({ lostParticles: 0, imbalancedHistories: 0 });
        expect(pages.length).toBeGreaterThan(0);
        for (const page of pages) {
          const { nonFinite } = mergePage(page, [{ primaries, batches, moments: page.moments }]);
          expect(nonFinite).toBe(0);
        }
      }),
      { numRuns: PROJECTS, endOnFailure: true },
    );
  }, 600_000);
});
