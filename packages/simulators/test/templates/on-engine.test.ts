import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { applyTemplate, type TemplateParameter } from '@tally/client/templates';
import { type MergedPage, readings } from '@tally/merge';
import { describeProject } from '../../src/description/describe-project.js';
import { readProject } from '../../src/project/read-project.js';
import { createReferenceDriver } from '../../src/reference/reference-driver.js';
import { runProject } from '../run-project.js';

const FOLDER = path.join(import.meta.dirname, '../../../../examples/templates');
const NAMES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name);
/** Enough for the tolerance of a template, in seconds. */
const PRIMARIES = 8_000;

interface ExpectedReading {
  readonly estimator: string;
  readonly page: string;
  readonly name: string;
  readonly value: number;
  readonly tolerance: number;
  readonly unit: string;
  readonly coordinate?: boolean;
}
interface TemplateFile {
  readonly parameters: readonly TemplateParameter[];
  readonly expected: { readonly reading: ExpectedReading };
}
interface Project extends Record<string, unknown> {
  readonly beam: { readonly numberOfParticles: number };
}

const read = (name: string, file: string): unknown => JSON.parse(readFileSync(path.join(FOLDER, name, file), 'utf8'));

function readTemplate(name: string) {
  return { ...(read(name, 'template.json') as TemplateFile), project: read(name, 'project.json') as Project };
}

/** Values that lie at one end of each range. */
const ends = (parameters: readonly TemplateParameter[], end: 'min' | 'max') =>
  Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter[end]]));

function readingOf(pages: readonly MergedPage[], project: object, wanted: ExpectedReading) {
  const page = pages.find((one) => one.estimatorName === wanted.estimator && one.pageName === wanted.page);
  const axis = page?.axes.find(({ centers }) => centers.length > 1);
  if (page === undefined || axis === undefined) throw new Error(`there is no curve ${wanted.page}`);
  const { pageName, unit, values, errors } = page;
  const problem = describeProject(readProject(project), 'simA') ?? {};
  return readings({ name: pageName, unit, axis, values, errors }, problem).find(({ name }) => name === wanted.name);
}

describe('templates', () => {
  it('are those that a newcomer begins with', () => {
    expect(NAMES.sort()).toEqual([
      'bone-slab',
      'carbon-fragments',
      'collimator-edge',
      'electron-field',
      'implant',
      'lung-slab',
      'neutrons-behind-target',
      'range-shifter',
      'sobp-spot-list',
      'water-tank',
    ]);
  });

  it.each(NAMES)('%s is its own default, and sound at both ends of every range', (name) => {
    const template = readTemplate(name);
    expect(applyTemplate(template)).toEqual(template.project);
    const driver = createReferenceDriver('simA');
    for (const values of [{}, ends(template.parameters, 'min'), ends(template.parameters, 'max')])
      expect([values, driver.convert(readProject(applyTemplate(template, values))).warnings]).toEqual([values, []]);
    for (const { name: parameter, min, max } of template.parameters)
      for (const value of [min, max])
        expect(
          driver.convert(readProject(applyTemplate(template, { [parameter]: value }))).files['problem.json'],
        ).toBeDefined();
  });

  it.each(NAMES)('%s gives on the engine the reading that it promises', async (name) => {
    const { expected, project } = readTemplate(name);
    const fewer = { ...project, beam: { ...project.beam, numberOfParticles: PRIMARIES } };
    const { pages } = await runProject(fewer, 1, '7');
    const { value, tolerance, unit, coordinate } = expected.reading;
    const reading = readingOf(pages, fewer, expected.reading);
    const found = coordinate === true ? (reading?.coordinate ?? reading?.value) : reading?.value;
    expect({ unit: reading?.unit, isNear: Math.abs((found ?? Number.NaN) - value) < tolerance, found }).toEqual({
      unit,
      isNear: true,
      found,
    });
  });
});
