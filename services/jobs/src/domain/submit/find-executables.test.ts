import { describe, expect, it } from '@jest/globals';
import type { Executables } from '@tally/simulators';
import type { KnownExecutable } from '../ports.js';
import { createExecutableFinder } from './find-executables.js';
import { nameExecutables } from './name-executables.js';

const known = (
  simulator: KnownExecutable['simulator'],
  version: string,
  runnerCount: number,
  seenSeconds = 0,
): KnownExecutable => ({ simulator, version, runnerCount, seenAt: new Date(seenSeconds * 1000) });

describe('executables of the direct platform', () => {
  it('are what runners have ever reported', async () => {
    const runners = { listExecutables: async () => [known('simC', '11.2', 0)] };
    expect(await createExecutableFinder({ runners }, new Map())()).toEqual(new Map([['simC', '11.2']]));
  });

  it('are what the operator has written down, whatever runners say', async () => {
    const runners = { listExecutables: async () => [known('simC', '11.2', 1)] };
    const written: Executables = new Map([['simD', '3.9']]);
    expect(await createExecutableFinder({ runners }, written)()).toBe(written);
  });

  it('do not depend on how many runners have them, nor on those that lack them', () => {
    expect(nameExecutables([known('simA', '1.0.1', 1), known('simB', '4.5', 49)])).toEqual(
      new Map([
        ['simA', '1.0.1'],
        ['simB', '4.5'],
      ]),
    );
  });

  it('have every version that lives, and none that is not known', () => {
    const live = [known('simA', '1.10', 1), known('simA', '', 1), known('simA', '1.9', 1), known('simA', '1.8', 0, 9)];
    expect(nameExecutables(live).get('simA')).toBe('1.9 or 1.10');
    expect(nameExecutables([known('simA', '', 1)]).get('simA')).toBe('');
  });

  it('have the version that was reported last while no runner lives', () => {
    const gone = [known('simA', '1.9', 0, 5), known('simA', '1.8', 0, 9), known('simA', '1.10', 0, 7)];
    expect(nameExecutables(gone)).toEqual(new Map([['simA', '1.8']]));
  });

  it('are none where none was ever reported', () => {
    expect(nameExecutables([])).toEqual(new Map());
  });
});
