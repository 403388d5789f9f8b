import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { simulate, type TransportProblem } from '@tally/engine';
import type { TaskOutput } from '@tally/merge';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import { convertProject } from '../src/convert-project.js';
import { readProject } from '../src/project/read-project.js';
import { convert as convertForReference } from '../src/reference/convert.js';
import { createReferenceDriver } from '../src/reference/reference-driver.js';
import { convert } from '../src/sim-a/deck/convert.js';
import { adoptForReference, readDeck } from '../src/sim-a/reference/read-deck.js';
import { createSimADriver } from '../src/sim-a/sim-a-driver.js';
import { buildProject, IDS, output, quantity } from './build-project.js';
import { GOLDEN_PROJECTS } from './golden/projects.js';
import { randomProject } from './random-project.js';

const EXAMPLES = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../examples');
const PRIMARIES = 200;
const TASK = { primaries: PRIMARIES, firstHistory: 0, seed: '20240601' };
const DIFFERENCE_MAX = 1e-9;

/** Runs a project as the editor's and as the files that it becomes. */
async function runBoth(json: unknown): Promise<{ editor: TaskOutput; files: TaskOutput }> {
  const project = readProject(json);
  const problem = JSON.parse(convertForReference(project, 'simA').files['problem.json'] ?? '') as TransportProblem;
  return {
    editor: await simulate(problem, TASK),
    files: await simulate(readDeck(convert(project).files).problem, TASK),
  };
}

/** Largest difference of the sums of a page, relative to the page's largest. */
function largestDifference(one: TaskOutput, other: TaskOutput): number {
  const differences = one.pages.map((page, index) => {
    const [sums = new Float64Array()] = page.moments;
    const [others = new Float64Array()] = other.pages[index]?.moments ?? [];
    const largest = sums.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(others).toHaveLength(sums.length);
    expect(largest).toBeGreaterThan(0);
    return sums.reduce((most, value, bin) => Math.max(most, Math.abs(value - (others[bin] ?? 0)) / largest), 0);
  });
  return Math.max(...differences);
}

/** simA has no electrons. */
const ELECTRONS = ['electron-12mev-water.json'];
const readExample = (name: string): unknown => JSON.parse(readFileSync(path.join(EXAMPLES, name), 'utf8'));

describe('a deck of simA on the built-in engine', () => {
  it.each(ELECTRONS)('is not made of %s, by name', (name) => {
    expect(() => convert(readProject(readExample(name)))).toThrow('a beam of electrons is not supported');
  });

  it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json') && !ELECTRONS.includes(name)))(
    `gives the sums of the editor's run of %s with the same seed, to ${DIFFERENCE_MAX}`,
    async (name) => {
      const { editor, files } = await runBoth(readExample(name));
      expect(largestDifference(editor, files)).toBeLessThanOrEqual(DIFFERENCE_MAX);
    },
  );

  it.each(['boolean-zones', 'long-zone', 'materials', 'cut-energy', 'black-hole-world', 'calculated-world'])(
    `gives the sums of the editor's run of the golden project %s, to ${DIFFERENCE_MAX}`,
    async (name) => {
      const { editor, files } = await runBoth(GOLDEN_PROJECTS[name]);
      expect(largestDifference(editor, files)).toBeLessThanOrEqual(DIFFERENCE_MAX);
    },
  );

  /** Whether the engine takes what simA's deck is of a project as far as the engine takes the project. */
  function isTaken(json: unknown): boolean | undefined {
    try {
      const { project } = convertProject(createReferenceDriver('simA'), readProject(json), 'omit');
      const { files, manifest } = convertProject(createSimADriver(''), project, 'omit');
      const pages = manifest.estimators.map((estimator) => estimator.pages.length);
      const adopted = JSON.parse(adoptForReference(files).files['manifest.json'] ?? '') as typeof manifest;
      expect(adopted.estimators.map((estimator) => estimator.pages.length)).toEqual(pages);
      return true;
    } catch (err) {
      if (err instanceof ConversionError && err.reason === 'PROJECT_UNSUPPORTED') return undefined;
      throw err;
    }
  }

  it('is taken of every golden project that engine and simA can do', () => {
    const taken = Object.values(GOLDEN_PROJECTS).filter((json) => isTaken(json) === true);
    expect(taken.length).toBeGreaterThan(Object.keys(GOLDEN_PROJECTS).length / 2);
  });

  it('is taken with the neutron kerma', () => {
    const kerma = output(IDS.depthOutput, 'depth', IDS.depth, [quantity('q1', 'Kerma', 'NKERMA')]);
    expect(isTaken(buildProject({ '/scoringManager/outputs': [kerma] }))).toBe(true);
  });

  it('is taken of any project that engine and simA can do', () => {
    fc.assert(
      fc.property(randomProject, (json) => void isTaken(json)),
      { numRuns: 100 },
    );
  });
});
