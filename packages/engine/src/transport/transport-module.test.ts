import { describe, expect, it } from '@jest/globals';

import { depthDetector, quantity, tank } from '../../test/water-tank.js';
import { loadTransportModule, setupCalls } from './setup-calls.js';
import { createTransportModule } from './transport-module.js';

describe('the transport module', () => {
  it.each([
    ['protons', 1, 1, 150],
    ['carbon', 6, 12, 3240],
  ])('allocates nothing while it simulates %s', (_name, z, a, energyMev) => {
    const axis = { type: 'E', lower: 0, upper: 200, bins: 10, log: false };
    const problem = tank({
      z,
      a,
      energyMev,
      detectors: [depthDetector(20, 100), { type: 'all', name: 'all' }],
      outputs: [
        { name: 'depth', detector: 0, quantities: [quantity('Dose'), quantity('dLET', { material: 0 })] },
        { name: 'all', detector: 1, quantities: [quantity('Fluence', { modifiers: [axis] })] },
      ],
    });
    const module = loadTransportModule(setupCalls(problem));
    module.call('prepare');
    module.call('clearTotals');
    module.call('run', 1, 0, 0, 20);
    const first = module.call('heapTop');
    const block = module.call('heapTop') - first;
    module.call('clearTotals');
    module.call('run', 1, 0, 20, 500);
    expect(module.call('heapTop') - first).toBe(2 * block);
  });

  it('simulates at least 3000 protons of 150 MeV per second of processor time', () => {
    const module = loadTransportModule(setupCalls(tank()));
    module.call('prepare');
    module.call('clearTotals');
    module.call('run', 1, 0, 0, 500);
    const before = process.cpuUsage();
    module.call('run', 1, 0, 500, 4000);
    const { user, system } = process.cpuUsage(before);
    expect(4000 / ((user + system) / 1e6)).toBeGreaterThan(3000);
  });

  it('says which function it does not have', () => {
    expect(() => createTransportModule().call('transmogrify')).toThrow('no function transmogrify');
  });
});
