import { describe, expect, it } from '@jest/globals';
import { createProjectConverter } from './convert-project.js';

const projectConverter = createProjectConverter();
const NONE = new Map();
const FILES = { 'fl_sim.inp': 'START          2500.\nSTOP\n' };

describe('the converter', () => {
  it('knows the four simulators of the interface', () => {
    expect(projectConverter.listSimulators(NONE).map(({ simulator }) => simulator)).toEqual([
      'simA',
      'simB',
      'simC',
      'simD',
    ]);
  });

  it('names the place of each fault by its pointer into the request', () => {
    expect(() => projectConverter.convert('simA', 'editor', { beam: { energy: 'high' } }, NONE)).toThrow(
      expect.objectContaining({
        reason: 'PROJECT_INVALID',
        fields: expect.arrayContaining([expect.objectContaining({ field: '/sim_data/beam/energy' })]),
      }),
    );
  });

  it.each([null, 7, 'text', []])('refuses %j as a project', (simData) => {
    expect(() => projectConverter.convert('simA', 'editor', simData, NONE)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID', status: 'INVALID_ARGUMENT' }),
    );
  });

  it('refuses input files that nothing here can run', () => {
    expect(() => projectConverter.convert('simB', 'files', {}, NONE)).toThrow(
      expect.objectContaining({
        reason: 'INPUT_TYPE_UNSUPPORTED',
        status: 'INVALID_ARGUMENT',
        message: expect.stringContaining('simB'),
      }),
    );
  });

  it('takes input files as they are where there is an executable, and says by what they run', () => {
    const executables = new Map([['simB', '4.5'] as const]);
    expect(projectConverter.convert('simB', 'files', FILES, executables)).toEqual({
      title: 'fl_sim.inp',
      primaries: 2500,
      deck: FILES,
      warnings: [],
    });
    expect(projectConverter.listSimulators(executables).map(({ engine }) => engine)[1]).toBe('simB 4.5');
  });

  it('names the file that cannot be run', () => {
    const executables = new Map([['simA', ''] as const]);
    expect(() => projectConverter.convert('simA', 'files', { 'beam.dat': 'NSTAT 10' }, executables)).toThrow(
      expect.objectContaining({
        reason: 'PROJECT_INVALID',
        status: 'INVALID_ARGUMENT',
        fields: expect.arrayContaining([{ field: '/sim_data/mat.dat', message: 'is missing' }]),
      }),
    );
    expect(() => projectConverter.convert('simA', 'files', { '../beam.dat': '' }, executables)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID' }),
    );
  });
});
