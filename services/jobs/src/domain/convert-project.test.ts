import { describe, expect, it } from '@jest/globals';
import { projectConverter } from './convert-project.js';

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
      expect.objectContaining({ reason: 'INPUT_TYPE_UNSUPPORTED' }),
    );
  });
});
