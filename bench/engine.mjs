// Speed of the reference engine: primaries per second of processor time (so that other work on the machine does not
// count), beside a plain floating-point loop in the same run; and the gain of a second worker, by the clock, beside that of a
// second thread in loops that share nothing: what the machine's two cores give together.
// node bench/engine.mjs [seconds per case, default 4] [--peer]. Needs a build (pnpm build).
// --peer: only 150 MeV protons in water, mesh of 2·10⁶ bins, in turns with MCsquare (from PyPI), one core each.
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';

import { simulate } from '../packages/engine/dist/src/index.js';
import { findDriver, readProject } from '../packages/simulators/dist/src/index.js';
import { providePythonTool } from '../packages/testkit/dist/src/index.js';
import { mcsquareFolder } from './judge/codes.mjs';
import { findProgram, runMcsquare } from './judge/mcsquare.mjs';
import { median } from './load/statistics.mjs';

const isWithPeer = process.argv.includes('--peer');
const seconds = Number(process.argv.slice(2).find((argument) => argument !== '--peer') ?? 4);

const physics = {
  energyLossFraction: 0.03,
  straggling: 'vavilov',
  scattering: 'moliere',
  nuclearReactions: true,
  stoppingPowerTable: 'icru49',
};
const upright = { rotationDeg: [0, 0, 0] };
const quantity = (keyword) => ({ name: keyword, keyword, modifiers: [], scale: 1 });
const cylinder = (name, radiusCm, depthCm, z) => ({
  name,
  shape: { type: 'cylinder', innerRadiusCm: 0, radiusCm, depthCm },
  centerCm: [0, 0, z],
  ...upright,
});

/** A beam along z into a water cylinder, with a mesh of 1 mm and a depth detector. */
function waterProblem(particle, energyMev, figures = [], zones = []) {
  return {
    version: 1,
    title: 'bench',
    beam: {
      particle,
      positionCm: [0, 0, -1],
      direction: [0, 0, 1],
      energyMev,
      energySpreadMev: 0.01 * energyMev,
      energyLowCutoffMev: 0,
      energyHighCutoffMev: 1e5,
      shape: { type: 'gaussian', sigmaXCm: 0.3, sigmaYCm: 0.3 },
      divergence: { xMrad: 0, yMrad: 0, distanceToFocalCm: 0 },
    },
    physics,
    materials: [
      { name: 'water', icru: 276 },
      { name: 'vacuum', icru: 1000 },
      { name: 'bone', icru: 120 },
      { name: 'PMMA', icru: 223 },
    ],
    figures: [
      cylinder('tank', 5, 20, 10),
      { name: 'world', shape: { type: 'box', sizeCm: [14, 14, 24] }, centerCm: [0, 0, 10], ...upright },
      ...figures,
    ],
    zones: [...zones, { name: 'tank', material: 0, terms: [[{ mode: 'union', figure: 0 }]] }],
    world: { figure: 1, material: 1 },
    detectors: [
      { type: 'mesh', name: '1 mm', centerCm: [0, 0, 10], sizeCm: [10, 10, 20], segments: [100, 100, 200] },
      {
        type: 'cylinder',
        name: 'depth',
        centerCm: [0, 0, 10],
        innerRadiusCm: 0,
        radiusCm: 5,
        depthCm: 20,
        radialSegments: 1,
        zSegments: 400,
      },
    ],
    outputs: [
      { name: '1 mm', detector: 0, quantities: [quantity('Dose')] },
      { name: 'depth', detector: 1, quantities: [quantity('Dose')] },
    ],
  };
}

/** Eight more figures in the tank, five of them turned. */
function crowdedProblem() {
  const figures = Array.from({ length: 8 }, (_, i) => ({
    name: `insert ${i}`,
    shape:
      i % 3 === 0
        ? { type: 'sphere', radiusCm: 0.8 }
        : i % 3 === 1
          ? { type: 'box', sizeCm: [3, 2, 0.8] }
          : { type: 'cylinder', innerRadiusCm: 0.5, radiusCm: 1.2, depthCm: 1 },
    centerCm: [i % 2 ? 0.5 : -0.5, 0.2 * i - 0.8, 1.5 + 1.6 * i],
    rotationDeg: i % 3 === 0 ? [0, 0, 0] : [10 * i, 20, 5],
  }));
  const zones = figures.map((figure, i) => ({
    name: figure.name,
    material: 2 + (i % 2),
    terms: [[{ mode: 'union', figure: 2 + i }]],
  }));
  return waterProblem({ name: 'proton', z: 1, a: 1 }, 150, figures, zones);
}

/** Everything that the engine scores, over depth, beside the mesh. */
function manyQuantities(problem) {
  const [mesh, depth] = problem.outputs;
  const keywords = ['Dose', 'Energy', 'Fluence', 'AvgEnergy', 'AvgBeta', 'dLET', 'tLET'];
  const charges = ['dZ2Beta2', 'tZ2Beta2', 'dZeff2Beta2', 'tZeff2Beta2'];
  return { ...problem, outputs: [mesh, { ...depth, quantities: [...keywords, ...charges].map(quantity) }] };
}

function withoutMesh(problem) {
  return { ...problem, outputs: problem.outputs.slice(1) };
}

/** A project of `examples/` as the engine gets it. */
function exampleProblem(name) {
  const project = readProject(
    JSON.parse(fs.readFileSync(new URL(`../examples/${name}.json`, import.meta.url), 'utf8')),
  );
  return JSON.parse(findDriver('simA', 'editor').convert(project).files['problem.json']);
}

/** Processor time of all threads of this process, s. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Compiled anew each time: what the compiler makes of it later, from what it has seen, differs by a third. */
const PLAIN_LOOP = `(rounds) => {
  let x = 1.5;
  for (let i = 0; i < rounds; i++) x = Math.sqrt(x * 1.0000001 + 0.25);
  return x;
}`;

/** Millions of dependent multiply–add–square roots per second: the machine's own speed, here and now. */
function plainLoop() {
  const rounds = 3e7;
  const loop = vm.runInThisContext(PLAIN_LOOP);
  const start = processorSeconds();
  if (!(loop(rounds) > 0)) throw new Error('unexpected');
  return rounds / (processorSeconds() - start) / 1e6;
}

/** Primaries per second by processor time and by the clock. */
async function measure(problem, primaries, threads) {
  const start = performance.now();
  const before = processorSeconds();
  await simulate(problem, { primaries, firstHistory: 0, seed: '1' }, { threads });
  return {
    perCore: primaries / (processorSeconds() - before),
    byClock: (primaries / (performance.now() - start)) * 1000,
  };
}

/** As `measure`, over about the wanted time; start-up is part of it, as it is of a task. */
async function rate(problem, threads) {
  const trial = await measure(problem, 4000, 1);
  return measure(problem, Math.max(4000, Math.round(trial.perCore * seconds * threads)), threads);
}

const protons = waterProblem({ name: 'proton', z: 1, a: 1 }, 150);
const examples = [
  'proton-150mev-water',
  'proton-bone-slab',
  'proton-sobp-water',
  'carbon-270mevu-water',
  'electron-12mev-water',
];
const cases = [
  ['150 MeV protons, water, 1 mm mesh + depth', protons],
  ['the same without neutrons', { ...protons, physics: { ...physics, neutrons: false } }],
  ['the same in a geometry of 10 figures', crowdedProblem()],
  ['10 figures, 11 quantities over depth + mesh', manyQuantities(crowdedProblem())],
  ['10 figures, 11 quantities over depth', withoutMesh(manyQuantities(crowdedProblem()))],
  ['270 MeV/u carbon, water, 1 mm mesh + depth', waterProblem({ name: 'carbon', z: 6, a: 12 }, 3240)],
  ...examples.map((name) => [`examples/${name}`, exampleProblem(name)]),
];

const PEER_ROUNDS = 3;
/** Histories of a short and a long run of MCsquare, whose difference has no start-up. */
const PEER_PRIMARIES = [2000, 42_000];

/** Primaries per second of MCsquare, of the transport alone. */
async function peerRate(work) {
  const water = { toCm: 20, material: { density: 1, mcsquare: 17 } };
  const beam = { energies: [{ energyMev: 150, spreadMev: 1.5, weight: 1 }], sigmaCm: 0.3 };
  const problem = { beam, layers: [water], grid: { lower: [-5, -5, 0], upper: [5, 5, 20], bins: [100, 100, 200] } };
  const [short, long] = PEER_PRIMARIES;
  const secondsOf = async (primaries) =>
    (await runMcsquare(mcsquareFolder(), work, problem, { primaries, withLet: false })).seconds;
  return (long - short) / ((await secondsOf(long)) - (await secondsOf(short)));
}

/** As `peerRate`, of the engine: the same mesh and nothing else, and no neutrons, as MCsquare has none. */
async function ownRate() {
  const problem = { ...protons, physics: { ...physics, neutrons: false }, outputs: protons.outputs.slice(0, 1) };
  const [short, long] = PEER_PRIMARIES;
  const secondsOf = async (primaries) => primaries / (await measure(problem, primaries, 1)).perCore;
  return (long - short) / ((await secondsOf(long)) - (await secondsOf(short)));
}

/** Both in turns, so that both have the same machine; what each does, and the quotient, medians of the rounds. */
async function compareWithPeer() {
  if (!(await providePythonTool('mcsquare', console.log))) return;
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-mcsquare-'));
  try {
    const rounds = [];
    for (let round = 0; round < PEER_ROUNDS; round++) rounds.push([await ownRate(), await peerRate(work)]);
    const [own, peer, ratio] = [
      rounds.map(([one]) => one),
      rounds.map(([, other]) => other),
      rounds.map(([one, other]) => one / other),
    ].map(median);
    console.log(
      `engine ${Math.round(own)}/s, ${path.basename(findProgram(mcsquareFolder()))} ${Math.round(peer)}/s, ratio ${ratio.toFixed(2)}`,
    );
  } finally {
    fs.rmSync(work, { recursive: true });
  }
}

console.log(
  `${os.cpus()[0]?.model}, ${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(2)}, Node ${process.version}`,
);
if (isWithPeer) {
  await compareWithPeer();
  process.exit(0);
}
console.log(`${'case'.padEnd(46)}${'primaries/s/core'.padStart(18)}${'Mop/s'.padStart(8)}${'ratio'.padStart(9)}`);
for (const [name, problem] of cases) {
  const before = plainLoop();
  const { perCore } = await rate(problem, 1);
  const loop = (before + plainLoop()) / 2;
  const ratio = perCore / (loop * 1e6);
  const columns = [Math.round(perCore).toString().padStart(18), loop.toFixed(0).padStart(8)];
  console.log(name.padEnd(46) + columns.join('') + ratio.toExponential(1).padStart(9));
}

/** Loops of two threads that share nothing: each waits for something else, so that it shows what two cores share. */
const LOOPS = {
  // each operation waits for the one before: two threads on one core do not notice each other
  'plain loop': PLAIN_LOOP,
  // eight chains at once keep the floating-point units of a core busy: two threads on one core share them
  'eight plain loops at once': `(rounds) => {
    let [a, b, c, d, e, f, g, h] = [1, 2, 3, 4, 5, 6, 7, 8];
    for (let i = 0; i < rounds; i++) {
      a = a * 0.9999 + 0.25; b = b * 0.9999 + 0.25; c = c * 0.9999 + 0.25; d = d * 0.9999 + 0.25;
      e = e * 0.9999 + 0.25; f = f * 0.9999 + 0.25; g = g * 0.9999 + 0.25; h = h * 0.9999 + 0.25;
    }
    return a + b + c + d + e + f + g + h;
  }`,
  // as the engine adds to a mesh of two million bins: cache and memory are shared by all cores. The memory is taken and
  // written to before: giving it is the system's work, and threads of one process wait for each other there
  'additions all over 64 MiB': `(() => {
    const sums = new Float64Array(8 * 1024 * 1024).fill(1);
    return (rounds) => {
      for (let i = 0, at = 1; i < rounds; i++) {
        at = (Math.imul(at, 1664525) + 1013904223) | 0;
        sums[at >>> 9] += 1;
      }
      return sums[0];
    };
  })()`,
  // what a thread waits for that writes to new memory
  'new memory, 64 MiB': `(rounds) => {
    let sum = 0;
    for (let left = rounds; left > 0; left -= 5e6) sum += new Float64Array(8 * 1024 * 1024).fill(1)[0];
    return sum;
  }`,
};
const LOOP_ROUNDS = 1e7;
const LOOP_THREAD = `
  const { parentPort, workerData: { loop, rounds } } = require('node:worker_threads');
  const run = require('node:vm').runInThisContext(loop);
  run(rounds / 10);
  parentPort.on('message', (repeats) => {
    for (let i = 0; i < repeats; i++) if (!(run(rounds) > 0)) throw new Error('unexpected');
    parentPort.postMessage('done');
  });
  parentPort.postMessage('ready');`;

/** What so many threads at once do of a loop, rounds per second by the clock; they start together. */
async function loopRate(loop, threads) {
  const workerData = { loop, rounds: LOOP_ROUNDS };
  const workers = Array.from({ length: threads }, () => new Worker(LOOP_THREAD, { eval: true, workerData }));
  const all = () => Promise.all(workers.map((worker) => once(worker, 'message')));
  await all();
  const repeats = 10;
  const start = performance.now();
  const done = all();
  for (const worker of workers) worker.postMessage(repeats, []);
  await done;
  const rate = (threads * repeats * LOOP_ROUNDS * 1000) / (performance.now() - start);
  await Promise.all(workers.map((worker) => worker.terminate()));
  return rate;
}

/** Pairs of short rounds, an odd number. */
const PAIRS = 9;

/** Rates of one and of two threads and the gain, medians of pairs of rounds in turns: an idle core lets the other run faster, now and then. */
async function gainOfTwo(rate) {
  const pairs = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const rates = [];
    for (const threads of pair % 2 === 0 ? [1, 2] : [2, 1]) rates[threads - 1] = await rate(threads);
    pairs.push([...rates, rates[1] / rates[0]]);
  }
  const [one, two, gain] = [0, 1, 2].map((column) => median(pairs.map((pair) => pair[column])));
  return { one, two, gain };
}

console.log('\ntwo threads over one, by the clock');
for (const [name, loop] of Object.entries(LOOPS)) {
  const { gain } = await gainOfTwo((threads) => loopRate(loop, threads));
  console.log(`${name.padEnd(46)}${gain.toFixed(2).padStart(6)}`);
}
const [mesh] = cases;
for (const [name, problem] of [mesh, ['the same without the mesh', withoutMesh(protons)]]) {
  const { perCore } = await measure(problem, 4000, 1);
  const { one, two, gain } = await gainOfTwo(async (threads) => {
    return (await measure(problem, Math.round(perCore * 3 * threads), threads)).byClock;
  });
  const rates = `   ${Math.round(one)} and ${Math.round(two)} primaries/s`;
  console.log(`${name.padEnd(46)}${gain.toFixed(2).padStart(6)}${rates}`);
}
