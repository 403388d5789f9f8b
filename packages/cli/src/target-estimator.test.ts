import { describe, expect, it } from '@jest/globals';
import { targetEstimatorOf } from './target-estimator.js';

const projectWith = (outputs: Readonly<Record<string, readonly string[]>>) => {
  const of = ([name, keywords]: [string, readonly string[]]) => ({
    name,
    quantities: keywords.map((keyword) => ({ keyword })),
  });
  return { input_type: 'editor' as const, sim_data: { scoringManager: { outputs: Object.entries(outputs).map(of) } } };
};

describe('--target without --target-estimator', () => {
  it('is about the only results, or the only ones with a dose', () => {
    expect(targetEstimatorOf(projectWith({ Fluence: ['Fluence'] }))).toBe('Fluence');
    expect(targetEstimatorOf(projectWith({ LET: ['dLET'], Depth: ['Fluence', 'Dose'] }))).toBe('Depth');
    expect(targetEstimatorOf(projectWith({ LET: ['dLET'], Depth: ['DoseGy'] }))).toBe('Depth');
  });

  it('names the choices where there are several, or none', () => {
    const choose = '--target needs --target-estimator, one of "A", "B"';
    expect(() => targetEstimatorOf(projectWith({ A: ['Dose'], B: ['Dose'] }))).toThrow(choose);
    expect(() => targetEstimatorOf(projectWith({ A: ['dLET'], B: ['Fluence'] }))).toThrow(choose);
    expect(() => targetEstimatorOf(projectWith({}))).toThrow('the project has none');
    expect(() => targetEstimatorOf({ input_type: 'editor', sim_data: {} })).toThrow('the project has none');
    expect(() => targetEstimatorOf({ input_type: 'files', sim_data: {} })).toThrow('for projects');
  });
});
