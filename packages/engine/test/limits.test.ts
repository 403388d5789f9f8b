import { describe, expect, it, jest } from '@jest/globals';

import { physicsTables } from '../src/physics-tables.js';
import { simulate } from '../src/simulate.js';
import { DepthCurve, findPage, valuesOf } from './curve.js';
import { depthDetector, PRIMARIES, quantity, SLOWING_DOWN_ONLY, tank, task } from './water-tank.js';

// simulations; the machine may be busy
jest.setTimeout(180_000);

const PROTON = { z: 1, a: 1 };
const WATER = physicsTables({ name: 'water', icru: 276 });

describe('the transport, reduced to one process,', () => {
  it('slows down along a straight line: dose of every bin is the loss by the range table', async () => {
    const problem = tank({
      physics: SLOWING_DOWN_ONLY,
      outputs: [
        { name: 'depth', detector: 0, quantities: [quantity('Energy'), quantity('Fluence'), quantity('tLET')] },
      ],
    });
    const output = await simulate(problem, task(400));
    const energy = valuesOf(output, findPage(output, 'depth', 'Energy'));
    const total = WATER.csdaRange(PROTON, 150);
    // steps end at random depths: within one the energy is spread evenly, so bins agree on average
    for (let depth = 0; depth < 15; depth += 1) {
      const mean = energy.subarray(depth * 20, depth * 20 + 20).reduce((sum, value) => sum + value, 0);
      const exact = WATER.energyOfRange(PROTON, total - depth) - WATER.energyOfRange(PROTON, total - depth - 1);
      expect(Math.abs(mean / exact - 1)).toBeLessThan(0.003);
    }
    const curve = new DepthCurve(energy, 0.05);
    expect(Math.abs((curve.peakBin + 0.5) * 0.05 - total)).toBeLessThan(0.051);
    expect(energy.subarray(Math.ceil(total / 0.05)).every((value) => value === 0)).toBe(true);
    expect(energy.reduce((sum, value) => sum + value, 0)).toBeCloseTo(150, 9);
  });

  it('scatters symmetrically, with the width of the formula', async () => {
    const depthCm = 10;
    const detector = {
      type: 'mesh' as const,
      name: 'exit',
      centerCm: [0, 0, depthCm - 0.05] as const,
      sizeCm: [4, 8, 0.1] as const,
      segments: [400, 1, 1] as const,
    };
    const problem = tank({
      depthCm,
      physics: { straggling: 'none', nuclearReactions: false },
      detectors: [detector],
      outputs: [{ name: 'exit', detector: 0, quantities: [quantity('Fluence')] }],
    });
    const histories = 20000;
    const output = await simulate(problem, task(histories), { threads: 2 });
    const page = findPage(output, 'exit', 'Fluence');
    const profile = valuesOf(output, page);
    const centers = page.axes[0]?.centers ?? [];
    const weight = profile.reduce((sum, value) => sum + value, 0);
    const mean = profile.reduce((sum, value, i) => sum + value * (centers[i] ?? 0), 0) / weight;
    const variance = profile.reduce((sum, value, i) => sum + value * (centers[i] ?? 0) ** 2, 0) / weight;
    expect(Math.abs(mean)).toBeLessThan(4 * Math.sqrt(variance / histories));
    // Fermi–Eyges with the differential Molière power along the mean energy
    const mass = 938.27208816;
    const pv = (energy: number) => (energy * (energy + 2 * mass)) / (energy + mass);
    const range = WATER.csdaRange(PROTON, 150);
    const start = pv(150);
    let expected = 0;
    const step = 0.001;
    for (let z = step / 2; z < depthCm - 0.05; z += step) {
      const p = pv(WATER.energyOfRange(PROTON, range - z));
      const used = Math.log10(1 - (p / start) ** 2);
      const factor = Math.max(0, 0.5244 + 0.1975 * used + 0.232 * Math.log10(p) - 0.0098 * Math.log10(p) * used);
      expected += (factor * (15 / p) ** 2 * step * (depthCm - 0.05 - z) ** 2) / WATER.scatteringLength();
    }
    expect(Math.abs(Math.sqrt(variance / expected) - 1)).toBeLessThan(0.03);
  });

  it.each([
    ['gaussian', 1, 1, 100, 7.718, 0.0111],
    ['vavilov', 1, 1, 100, 7.718, 0.0111],
    ['vavilov', 1, 1, 200, 25.96, 0.0104],
    ['vavilov', 2, 4, 600, 15.86, 0.0054],
    ['vavilov', 6, 12, 2400, 8.66, 0.003],
  ] as const)(
    'straggles in range (%s, Z %i, A %i, %i MeV) by the Bohr width',
    async (straggling, z, a, energyMev, range, width) => {
      const low = range * 0.9;
      const bins = 400;
      const length = range * 0.2;
      const problem = tank({
        z,
        a,
        energyMev,
        depthCm: range * 1.2,
        physics: { straggling, scattering: 'none', nuclearReactions: false },
        detectors: [{ ...depthDetector(length, bins), centerCm: [0, 0, low + length / 2] }],
        outputs: [{ name: 'end', detector: 0, quantities: [quantity('Fluence')] }],
      });
      const output = await simulate(problem, task(8000), { threads: 2 });
      const fluence = valuesOf(output, findPage(output, 'end', 'Fluence')).map((value) => value * Math.PI * 25);
      // the fluence at a depth is the share of particles with a longer range
      let mean = 0;
      let square = 0;
      for (const [i, value] of fluence.entries()) {
        const depth = ((i + 0.5) * length) / bins;
        mean += (value * length) / bins;
        square += (2 * depth * value * length) / bins;
      }
      const sigma = Math.sqrt(square - mean * mean) / (low + mean);
      expect(Math.abs(sigma / width - 1)).toBeLessThan(0.03);
    },
  );

  it('loses primaries exponentially by nuclear interactions alone', async () => {
    const problem = tank({
      physics: { straggling: 'none', scattering: 'none' },
      outputs: [{ name: 'depth', detector: 0, quantities: [quantity('Fluence', { filter: PRIMARIES })] }],
    });
    const histories = 20000;
    const output = await simulate(problem, task(histories), { threads: 2 });
    const alive = valuesOf(output, findPage(output, 'depth', 'Fluence')).map((value) => value * Math.PI * 25);
    const oxygen = (0.888106 / 15.999) * 6.02214076e-4;
    const range = WATER.csdaRange(PROTON, 150);
    let depths = 0;
    for (let z = 0.0125; z < 10; z += 0.025) {
      const energy = WATER.energyOfRange(PROTON, range - z);
      const hydrogen = ((0.315 * energy ** -1.126 + 3.78e-6 * energy) * 0.111894) / 0.1119;
      depths +=
        0.025 *
        (hydrogen +
          oxygen *
            (energy > 125 ? 295 : energy > 100 ? 295 + (2 * (125 - energy)) / 25 : 297 + ((100 - energy) * 16) / 20));
    }
    const expected = Math.exp(-depths);
    const measured = alive[200] ?? 0;
    // elastic scattering on oxygen takes a few out of the cylinder of 5 cm; allow it a tenth of a percent
    const sigma = Math.sqrt((expected * (1 - expected)) / histories);
    expect(Math.abs(measured - expected)).toBeLessThan(3 * sigma + 0.001);
  });

  it('crosses vacuum without dose and with the exact fluence 1/A', async () => {
    const problem = tank({
      icru: 1000,
      outputs: [{ name: 'depth', detector: 0, quantities: [quantity('Dose'), quantity('Fluence')] }],
    });
    const output = await simulate(problem, task(50));
    expect(valuesOf(output, findPage(output, 'depth', 'Dose')).every((dose) => dose === 0)).toBe(true);
    for (const fluence of valuesOf(output, findPage(output, 'depth', 'Fluence')))
      expect(fluence * Math.PI * 25).toBeCloseTo(1, 9);
    expect(output.counters.escapedMev).toBeCloseTo(50 * 150, 6);
  });

  it('ends in a black hole', async () => {
    const output = await simulate(tank({ icru: 0 }), task(50));
    expect(valuesOf(output, findPage(output, 'depth', 'Dose')).every((dose) => dose === 0)).toBe(true);
    expect(output.counters.escapedMev).toBeCloseTo(50 * 150, 6);
    expect(output.counters.depositedMev).toBe(0);
  });
});
