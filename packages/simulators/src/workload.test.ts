import { describe, expect, it } from '@jest/globals';
import { buildProject } from '../test/build-project.js';
import { readProject } from './project/read-project.js';
import { costOf, describeWorkload, WORKLOAD_OF_FILES } from './workload.js';

const of = (changes: Readonly<Record<string, unknown>> = {}) => describeWorkload(readProject(buildProject(changes)));

describe('the model of what a primary costs', () => {
  it('grows with the path of the primary, and with what is scored', () => {
    const proton = of();
    expect(proton.kind).toBe('proton:7');
    expect(of({ '/beam/energy': 230 }).secondsPerPrimary).toBeGreaterThan(1.5 * proton.secondsPerPrimary);
    expect(of({ '/beam/energy': 70 }).kind).toBe('proton:6');
    const fewer = of({ '/scoringManager/outputs/1/quantities': [] });
    expect(fewer.secondsPerPrimary).toBeLessThan(proton.secondsPerPrimary);
  });

  it('counts the energy of a nucleus by its nucleons: carbon of 270 MeV/u goes as far as protons of 143 MeV', () => {
    const carbon = of({
      '/beam/particle': { id: 25, a: 12, z: 6 },
      '/beam/energy': 270,
      '/beam/energyUnit': 'MeV/nucl',
    });
    const whole = of({ '/beam/particle': { id: 25, a: 12, z: 6 }, '/beam/energy': 12 * 270 });
    expect(carbon).toEqual(whole);
    expect(carbon.secondsPerPrimary / of({ '/beam/energy': 143 }).secondsPerPrimary).toBeCloseTo(1, 1);
  });

  it('has costs of its own for electrons: at 6 and 20 MeV those that were measured in water', () => {
    const seconds = (id: number, energy: number) => {
      const changes = { '/beam/particle': { id }, '/beam/energy': energy, '/scoringManager/outputs': [] };
      return of(changes).secondsPerPrimary;
    };
    const electron = 26;
    expect(seconds(electron, 6) * 1e6).toBeCloseTo(101, 0);
    expect(seconds(electron, 20) * 1e6).toBeCloseTo(205, 0);
    expect(of({ '/beam/particle': { id: electron }, '/beam/energy': 6 }).kind).toBe('electron:2');
  });

  it('takes longer for the other simulators, and knows no others', () => {
    const { startSeconds, primarySeconds } = costOf('reference 0.2.0', WORKLOAD_OF_FILES);
    const other = costOf('simC 11.2.1', WORKLOAD_OF_FILES);
    expect(other.startSeconds).toBeGreaterThan(startSeconds);
    expect(other.primarySeconds).toBeGreaterThan(10 * primarySeconds);
    expect(() => costOf('simE 1', WORKLOAD_OF_FILES)).toThrow('simE');
  });
});
