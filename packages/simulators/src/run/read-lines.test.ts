import { describe, expect, it } from '@jest/globals';
import { createReferenceDriver } from '../reference/reference-driver.js';
import { createSimBDriver } from '../sim-b/sim-b-driver.js';
import { createSimCDriver } from '../sim-c/sim-c-driver.js';
import { createSimDDriver } from '../sim-d/sim-d-driver.js';
import { readRunLines } from './read-lines.js';

describe('the lines of a run', () => {
  it('tell progress over several runs, whose events have several histories', () => {
    const lines = readRunLines(createSimDDriver('simD'), 300, [10, 40, 50]);
    const done = ['0, History: 5', '1, History: 0', '2, History: 25', '9, History: 1'].map((line) =>
      lines.read(`Begin processing for Run: ${line}`),
    );
    expect(done).toEqual([15, 30, 225, 300]);
    expect(lines.read('TOPAS run sequence complete.')).toBeUndefined();
    expect(lines.countedPrimaries()).toBeUndefined();
  });

  it('tell progress of one run where an event is a history', () => {
    expect(readRunLines(createSimCDriver('simC'), 300).read('--> Event 120 starts.')).toBe(120);
  });

  it.each([
    [
      createSimDDriver('simD'),
      ['Particle source A: Total number of histories: 700', 'Particle source B: Total number of histories: 300'],
      1000,
    ],
    [
      createSimCDriver('simC'),
      ['  Number of events processed : 600', 'G4WT0 > Number of events processed : 600', 'Run Summary'],
      600,
    ],
    [createSimCDriver('simC'), ['  Number of events processed : 600', '  Run Aborted after 40 events processed.'], 640],
    [createSimBDriver('simB'), [' Total number of primaries run:        5000 for a weight of:    5.0E+03'], 5000],
  ])('of %o are added up to what the simulator says that it has simulated', (driver, said, count) => {
    const lines = readRunLines(driver, 1000);
    for (const line of said) lines.read(line);
    expect(lines.countedPrimaries()).toBe(count);
  });

  it('tell whether the program ends early when it is told to: of simC only one that says so', () => {
    const lines = readRunLines(createSimCDriver('simC'), 1000);
    expect(lines.canFinish()).toBe(false);
    lines.read('Ends early at the file: finished');
    expect(lines.canFinish()).toBe(false);
    lines.read('Ends early at the file: finish');
    expect(lines.canFinish()).toBe(true);
    expect(readRunLines(createReferenceDriver('simA'), 1000).canFinish()).toBe(true);
    expect(readRunLines(createSimDDriver('simD'), 1000).canFinish()).toBe(false);
  });
});
