import { describe, expect, it } from '@jest/globals';
import type { Executables } from '@tally/simulators';
import { projectWith } from '../../../test/project.js';
import type { InputType, Simulator } from '../job.js';
import { convertSimData, listSimulators } from './convert-project.js';

const NONE: Executables = new Map();
const FILES = { 'fl_sim.inp': 'START          2500.\nSTOP\n' };

function convert(
  simulator: Simulator,
  inputType: InputType,
  simData: unknown,
  executables: Executables,
  onUnsupported: 'refuse' | 'omit' = 'refuse',
) {
  const simDataJson = Buffer.from(JSON.stringify(simData));
  return convertSimData({ simulator, inputType, onUnsupported }, simDataJson, executables);
}

/** The example project with the dose and this quantity. */
function projectAsking(quantity: object): unknown {
  const buffer = projectWith(100, (project) => {
    const { scoringManager } = project as unknown as { scoringManager: { outputs: { quantities: object[] }[] } };
    const [output] = scoringManager.outputs;
    const dose = { uuid: 'dose', name: 'Dose', modifiers: [], keyword: 'Dose' };
    scoringManager.outputs = [
      { ...output, quantities: [dose, { ...dose, uuid: 'other', name: 'Other', ...quantity }] },
    ];
  });
  return JSON.parse(buffer.toString());
}

describe('the converter', () => {
  it('knows the four simulators of the interface', () => {
    expect(listSimulators(NONE).map(({ simulator }) => simulator)).toEqual(['simA', 'simB', 'simC', 'simD']);
  });

  it('names the place of each fault by its pointer into the request', () => {
    expect(() => convert('simA', 'editor', { beam: { energy: 'high' } }, NONE)).toThrow(
      expect.objectContaining({
        reason: 'PROJECT_INVALID',
        fields: expect.arrayContaining([expect.objectContaining({ field: '/sim_data/beam/energy' })]),
      }),
    );
  });

  it.each([null, 7, 'text', []])('refuses %j as a project', (simData) => {
    expect(() => convert('simA', 'editor', simData, NONE)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID', status: 'INVALID_ARGUMENT' }),
    );
  });

  it('refuses input files that nothing here can run', () => {
    expect(() => convert('simB', 'files', {}, NONE)).toThrow(
      expect.objectContaining({
        reason: 'INPUT_TYPE_UNSUPPORTED',
        status: 'INVALID_ARGUMENT',
        message: expect.stringContaining('simB'),
      }),
    );
  });

  it('knows the same project again by its fingerprint, whatever its title and primaries', () => {
    const of = (change: Parameters<typeof projectWith>[1], primaries = 100) =>
      convert('simA', 'editor', JSON.parse(projectWith(primaries, change).toString()), NONE).work.fingerprint;
    const first = of(() => {});
    expect(of((project) => Object.assign(project.project ?? {}, { title: 'Another' }), 500)).toBe(first);
    expect(of((project) => Object.assign(project.beam, { energy: 151 }))).not.toBe(first);
  });

  it('takes input files as they are where there is an executable, and says by what they run', () => {
    const executables = new Map([['simB', '4.5'] as const]);
    expect(convert('simB', 'files', FILES, executables)).toEqual({
      title: 'fl_sim.inp',
      primaries: 2500,
      taskPrimariesMax: 9_999_999_999,
      work: expect.objectContaining({ engine: 'simB 4.5', kind: 'files' }),
      deck: FILES,
      warnings: [],
      simulatorDeck: undefined,
    });
    expect(listSimulators(executables).map(({ engine }) => engine)[1]).toBe('simB 4.5');
  });

  it('names the file that cannot be run', () => {
    const executables = new Map([['simA', ''] as const]);
    expect(() => convert('simA', 'files', { 'beam.dat': 'NSTAT 10' }, executables)).toThrow(
      expect.objectContaining({
        reason: 'PROJECT_INVALID',
        status: 'INVALID_ARGUMENT',
        fields: expect.arrayContaining([{ field: '/sim_data/mat.dat', message: 'is missing' }]),
      }),
    );
    expect(() => convert('simA', 'files', { '../beam.dat': '' }, executables)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_INVALID' }),
    );
  });

  it('leaves out by choice what the built-in engine cannot score, and says so', () => {
    const project = projectAsking({ keyword: 'NEqvDose' });
    expect(() => convert('simA', 'editor', project, NONE)).toThrow(
      expect.objectContaining({ reason: 'PROJECT_UNSUPPORTED' }),
    );
    const { warnings, deck } = convert('simA', 'editor', project, NONE, 'omit');
    const message = expect.stringMatching(/^"Other" of output .* is left out: .*NEqvDose/);
    expect(warnings.filter(({ code }) => code === 'QUANTITY_OMITTED')).toEqual([{ code: 'QUANTITY_OMITTED', message }]);
    expect(deck['problem.json']).not.toContain('NEqvDose');
  });

  it.each([
    ['simA', 'detect.dat'],
    ['simB', 'fl_sim.inp'],
    ['simC', 'run.mac'],
    ['simD', 'topas_config.txt'],
  ] as const)(
    'makes the deck of %s beside that of the built-in engine, and no second where it has one',
    (name, file) => {
      const { deck, simulatorDeck } = convert(name, 'editor', projectAsking({ keyword: 'Fluence' }), NONE);
      expect(Object.keys(deck)).toContain('problem.json');
      expect(simulatorDeck?.note).toBe('');
      const own = convert(name, 'editor', projectAsking({ keyword: 'Fluence' }), new Map([[name, '']]));
      expect(own.simulatorDeck).toBeUndefined();
      expect(own.deck).toEqual(simulatorDeck?.files);
      expect(Object.keys(own.deck)).toContain(file);
    },
  );

  it('says what the deck of the simulator lacks of what the built-in engine computes, or why there is none', () => {
    const { warnings, simulatorDeck } = convert('simB', 'editor', projectAsking({ keyword: 'dLET' }), NONE);
    // what its other outputs used
    expect(warnings.map(({ code }) => code)).toEqual(['DETECTOR_UNUSED', 'FILTER_UNUSED']);
    expect(simulatorDeck?.note).toMatch(/^in the deck of simB "Other" of output .* is left out: .*dLET/);
    expect(Object.keys(simulatorDeck?.files ?? {})).toContain('fl_sim.inp');
    const buffer = projectWith(10, (project) => Object.assign(project.beam, { position: [0, 0, 500] }));
    const none = convert('simB', 'editor', JSON.parse(buffer.toString()), NONE);
    expect(none.simulatorDeck).toEqual({ files: {}, note: expect.stringContaining('there is no deck of simB: /beam') });
  });
});
