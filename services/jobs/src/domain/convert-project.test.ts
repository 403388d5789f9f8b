import { describe, expect, it } from '@jest/globals';
import { createProjectConverter } from './convert-project.js';

const projectConverter = createProjectConverter(new Map());
const FILES = { 'fl_sim.inp': 'START          2500.\nSTOP\n' };

describe('the converter', () => {
  it('knows the four simulators of the interface', () => {
    expect(projectConverter.listSimulators().map(({ simulator }) => simulator)).toEqual([
      'simA',
      'simB',
      'simC',
      'simD',
    ]);
  });

  it('names the place of each fault by its pointer into the request', () => {
    expect(() => projectConverter.convert('simA', 'editor', { beam: { energy: 'high' } })).toThrow(
      expect.objectContaining({
        reason: 'PROJECT_INVALID',
        fields: expect.arrayContaining([expect.objectContaining({ field: '/sim_data/beam/energy' })]),
      }),
    );
  });

  it.each([null, 7, 'text', []])('refuses %j as a project', (simData) => {
    expect(() => projectConverter.convert('simA', 'editor', simData)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID', status: 'INVALID_ARGUMENT' }),
    );
  });

  it('refuses input files that nothing here can run', () => {
    expect(() => projectConverter.convert('simB', 'files', {})).toThrow(
      expect.objectContaining({
        reason: 'INPUT_TYPE_UNSUPPORTED',
        status: 'INVALID_ARGUMENT',
        message: expect.stringContaining('simB'),
      }),
    );
  });

  it('takes input files as they are where there is an executable, and says by what they run', () => {
    const converter = createProjectConverter(new Map([['simB', '4.5']]));
    expect(converter.convert('simB', 'files', FILES)).toEqual({
      title: undefined,
      primaries: 2500,
      deck: FILES,
      warnings: [],
    });
    expect(converter.listSimulators().map(({ engine }) => engine)[1]).toBe('simB 4.5');
  });

  it('names the file that cannot be run', () => {
    const converter = createProjectConverter(new Map([['simA', '']]));
    expect(() => converter.convert('simA', 'files', { 'beam.dat': 'NSTAT 10' })).toThrow(
      expect.objectContaining({
        reason: 'PROJECT_INVALID',
        status: 'INVALID_ARGUMENT',
        fields: expect.arrayContaining([{ field: '/sim_data/mat.dat', message: 'is missing' }]),
      }),
    );
    expect(() => converter.convert('simA', 'files', { '../beam.dat': '' })).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID' }),
    );
  });
});
