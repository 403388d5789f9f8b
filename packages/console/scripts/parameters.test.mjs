import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isProject } from '../src/submit/project.js';
import { parameterOf, parametersOf, withNumber } from '../src/sweeps/parameters.js';

const folder = path.join(import.meta.dirname, '../../../examples');
const read = (name) => {
  const project = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  if (!isProject(project)) throw new Error(`${name} is no project`);
  return project;
};

describe('numbers of a project that a sweep may change', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.json')))(
    'of %s begin with the energy, each has a label',
    (name) => {
      const parameters = parametersOf(read(name));
      expect(parameters[0]).toMatchObject({ path: 'beam.energy', label: 'Beam energy' });
      expect(new Set(parameters.map((one) => one.path)).size).toBe(parameters.length);
      expect(parameters.filter(({ label }) => label.endsWith(': ') || label === '')).toEqual([]);
    },
  );

  it('are named after figures, detectors and materials, with units', () => {
    const slab = parametersOf(read('proton-bone-slab.json'));
    const labels = slab.map(({ label, unit }) => `${label} / ${unit}`);
    expect(labels.filter((label) => label.endsWith('position z / cm')).length).toBeGreaterThan(1);
    expect(labels.some((label) => label.endsWith('density / g/cm³'))).toBe(true);
    expect(parameterOf(undefined, 'beam.energy')).toEqual({ label: 'beam.energy', unit: '' });
  });

  it('are changed at their place, and nothing else is', () => {
    const project = read('proton-150mev-water.json');
    const changed = withNumber(project, 'detectorManager.detectors.0.geometryData.position.2', 7);
    const paths = (one) => new Map(parametersOf(one).map(({ path: at, value }) => [at, value]));
    const [before, after] = [paths(project), paths(changed)];
    expect([...after].filter(([at, value]) => before.get(at) !== value)).toEqual([
      ['detectorManager.detectors.0.geometryData.position.2', 7],
    ]);
    expect(withNumber(project, 'beam.nothing.there', 7)).toEqual(project);
  });
});
