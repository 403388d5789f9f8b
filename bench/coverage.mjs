// Coverage of the engine's error bars: how often one standard error holds the truth, over seeded repetitions of a beam in
// water, in bins at the entrance, in the plateau, at the peak and beside the beam. 68 % is what a normal distribution has.
// node bench/coverage.mjs [primaries, default 5000] [repetitions, default 200]. Needs a build (pnpm build).
import { availableParallelism } from 'node:os';

import { simulate } from '../packages/engine/dist/src/index.js';
import { mergePage } from '../packages/merge/dist/src/index.js';

const primaries = Number(process.argv[2] ?? 5000);
const repetitions = Number(process.argv[3] ?? 200);

const quantity = (keyword) => ({ name: keyword, keyword, modifiers: [], scale: 1 });
const box = (name, size) => ({
  name,
  shape: { type: 'box', sizeCm: size },
  centerCm: [0, 0, size[2] / 2],
  rotationDeg: [0, 0, 0],
});
const mesh = (name, z, sizeCm, segments) => ({ type: 'mesh', name, centerCm: [0, 0, z], sizeCm, segments });

/** 150 MeV protons, 3 mm wide, in water: slices of 0.5 mm over depth, and a profile of 2 mm at half the range. */
const problem = {
  version: 1,
  title: 'coverage',
  beam: {
    particle: { name: 'proton', z: 1, a: 1 },
    positionCm: [0, 0, -1],
    direction: [0, 0, 1],
    energyMev: 150,
    energySpreadMev: 1.5,
    energyLowCutoffMev: 0,
    energyHighCutoffMev: 1e4,
    shape: { type: 'gaussian', sigmaXCm: 0.3, sigmaYCm: 0.3 },
    divergence: { xMrad: 0, yMrad: 0, distanceToFocalCm: 0 },
  },
  physics: {
    energyLossFraction: 0.03,
    straggling: 'vavilov',
    scattering: 'moliere',
    nuclearReactions: true,
    stoppingPowerTable: 'icru49',
  },
  materials: [
    { name: 'water', icru: 276 },
    { name: 'vacuum', icru: 1000 },
  ],
  figures: [box('tank', [10, 10, 20]), box('world', [14, 14, 24])],
  zones: [{ name: 'tank', material: 0, terms: [[{ mode: 'union', figure: 0 }]] }],
  world: { figure: 1, material: 1 },
  detectors: [mesh('depth', 10, [10, 10, 20], [1, 1, 400]), mesh('profile', 8, [4, 1, 0.2], [20, 1, 1])],
  outputs: [
    { name: 'depth', detector: 0, quantities: [quantity('Dose'), quantity('dLET')] },
    { name: 'profile', detector: 1, quantities: [quantity('Dose')] },
  ],
};

/** Bins of each region: page of the output, first and last bin. */
const REGIONS = [
  ['entrance, 0–1 cm', 0, 0, 19],
  ['plateau, 5–6 cm', 0, 100, 119],
  ['peak, 15–15.8 cm', 0, 300, 315],
  ['behind the peak, 16.5–18 cm', 0, 330, 359],
  ['beside the beam, 6–14 mm', 2, 3, 6],
  ['beside the beam, 14–20 mm', 2, 0, 2],
  ['dose-averaged LET, 5–6 cm', 1, 100, 119],
];

async function repeat(number) {
  const task = { primaries, firstHistory: 0, seed: String(1_000 + number) };
  const { pages, batches } = await simulate(problem, task);
  return pages.map(({ moments, remainders, ...header }) =>
    mergePage(header, [{ primaries, batches, moments, remainders }]),
  );
}

const runs = [];
const next = { number: 0 };
async function worker() {
  while (next.number < repetitions) runs.push(await repeat(next.number++));
}
await Promise.all(Array.from({ length: Math.min(4, 2 * availableParallelism()) }, worker));

console.log(
  `${repetitions} repetitions of ${primaries} primaries: share of bins within 1 and 2 standard errors of the mean`,
);
for (const [name, page, first, last] of REGIONS) {
  let [one, two, all, known] = [0, 0, 0, 0];
  for (let bin = first; bin <= last; bin++) {
    const truth = runs.reduce((sum, run) => sum + run[page].values[bin], 0) / runs.length;
    for (const run of runs) {
      const [value, error] = [run[page].values[bin], run[page].errors[bin]];
      all++;
      if (Number.isNaN(error)) continue;
      known++;
      if (Math.abs(value - truth) <= error) one++;
      if (Math.abs(value - truth) <= 2 * error) two++;
    }
  }
  const percent = (count, of) => `${((100 * count) / of).toFixed(1)} %`.padStart(8);
  console.log(name.padEnd(32) + percent(one, known) + percent(two, known) + `   known ${percent(known, all)}`);
}
