import { describe, expect, it } from '@jest/globals';
import { simulate } from '../src/simulate.js';
import { physicsTables } from '../src/transport/physics-tables.js';
import { DepthCurve, findPage, valuesOf } from './curve.js';
import { depthDetector, PRIMARIES, quantity, SLOWING_DOWN_ONLY, tank, task } from './water-tank.js';

// simulations; the machine may be busy

const PROTON = { z: 1, a: 1 };
const WATER = physicsTables({ name: 'water', icru: 276 });

/** Atomic numbers, atomic masses and mass fractions of water; Fano's −u_in. */
const WATER_ELEMENTS = [
  { z: 1, a: 1.008, fraction: 0.111894, uIn: 3.6 },
  { z: 8, a: 15.999, fraction: 0.888106, uIn: 5.8 },
];

/**
 * −ln of the characteristic function of the displacement x of 150 MeV protons at a depth in water: single scattering
 * dσ ∝ θ dθ/(θ² + χ_a²)² by each element, in closed form, and Fano's term for its electrons, along the mean energy.
 */
function moliereExponent(depthCm: number, frequency: number): number {
  const mass = 938.27208816;
  const range = WATER.csdaRange(PROTON, 150);
  const step = 0.002;
  let sum = 0;
  for (let z = step / 2; z < depthCm; z += step) {
    const energy = WATER.energyOfRange(PROTON, range - z);
    const p2 = energy * (energy + 2 * mass);
    const total = energy + mass;
    const beta2 = p2 / total ** 2;
    const q = frequency * (depthCm - z);
    for (const { z: charge, a, fraction, uIn } of WATER_ELEMENTS) {
      const characteristic = (0.1569 * fraction * charge ** 2 * step) / a / (p2 / total) ** 2;
      const thomasFermi = (0.510999 * Math.cbrt(charge)) / 137.036 / 0.885;
      const screening = (thomasFermi ** 2 * (1.13 + (3.76 * (charge / 137.036) ** 2) / beta2)) / p2;
      const nuclei = 2 * (Math.log(2 / (q * Math.sqrt(screening))) - 0.577216 + 0.5);
      const electrons = Math.log((1130 * charge ** (-4 / 3) * beta2) / (1 - beta2)) + uIn - beta2 / 2;
      sum += (characteristic * q ** 2 * (nuclei + electrons / charge)) / 4;
    }
  }
  return sum;
}

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

  it('scatters symmetrically, by Molière’s distribution with Fano’s electrons', async () => {
    const depthCm = 10;
    const detector = {
      type: 'mesh' as const,
      name: 'exit',
      centerCm: [0, 0, depthCm - 0.05] as const,
      sizeCm: [8, 16, 0.1] as const,
      segments: [800, 1, 1] as const,
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
    const meanOf = (f: (x: number) => number) => {
      const weight = profile.reduce((sum, value) => sum + value, 0);
      return profile.reduce((sum, value, i) => sum + value * f(centers[i] ?? 0), 0) / weight;
    };
    const sigma = Math.sqrt(meanOf((x) => x * x));
    expect(Math.abs(meanOf((x) => x))).toBeLessThan(4 * (sigma / Math.sqrt(histories)));
    // characteristic function of the displacement at frequencies about 1/σ: its logarithm is a variance
    for (const frequency of [0.7 / sigma, 1.4 / sigma, 2.1 / sigma]) {
      const simulated = -Math.log(meanOf((x) => Math.cos(frequency * x)));
      expect(Math.abs(simulated / moliereExponent(depthCm - 0.05, frequency) - 1)).toBeLessThan(0.04);
    }
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

  // mean projected ranges of ASTAR and PSTAR, mg/cm²; the CSDA ranges are 0.6, 0.75 and 10 % longer
  it.each([
    ['α of 5.5 MeV in air', 2, 4, 5.5, 104, 0.00120479, 5.08],
    ['protons of 1 MeV in water', 1, 1, 1, 276, 1, 2.44],
    ['protons of 0.1 MeV in water', 1, 1, 0.1, 276, 1, 0.1458],
  ])('lets %s scatter and straggle to the end', async (_, z, a, energyMev, icru, density, expected) => {
    const bins = 200;
    const depthCm = (1.6 * expected) / 1000 / density;
    const output = await simulate(
      tank({
        z,
        a,
        energyMev,
        icru,
        depthCm,
        radiusCm: depthCm,
        physics: { nuclearReactions: false },
        detectors: [depthDetector(depthCm, bins, depthCm)],
        outputs: [{ name: 'depth', detector: 0, quantities: [quantity('Fluence')] }],
      }),
      task(1000),
    );
    const fluence = valuesOf(output, findPage(output, 'depth', 'Fluence'));
    const depthOf = (share: number) => {
      const last = fluence.findLastIndex((value) => value >= share * (fluence[1] ?? 0));
      return ((last + 1) * depthCm * 1000 * density) / bins;
    };
    expect(Math.abs(depthOf(0.5) / expected - 1)).toBeLessThan(0.04);
    expect((depthOf(0.16) - depthOf(0.84)) / depthOf(0.5)).toBeGreaterThan(0.01);
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
