// Ranges of monoenergetic parallel electron beams in water, for the table of docs/engine.md: of the reference engine and, with a number of
// its histories, of a real Geant4, with two of its physics lists.
// node bench/electrons.mjs [primaries, default 30000] [histories of Geant4, default none]. Needs a build (pnpm build); Geant4's
// Python package is installed into the user's cache if it is not there.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { simulate } from '../packages/engine/dist/src/index.js';
import { DepthCurve, findPage, valuesOf } from '../packages/engine/dist/test/curve.js';
import { electronRanges } from '../packages/engine/dist/test/depth-ranges.js';
import { depthDetector, tank, task } from '../packages/engine/dist/test/water-tank.js';
import { findPythonTool, providePythonTool } from '../packages/testkit/dist/src/index.js';

const [primaries, histories] = [Number(process.argv[2] ?? 30_000), Number(process.argv[3] ?? 0)];
const radiusCm = 30;
const binCm = 0.05;
/** Urban's multiple scattering; Wentzel's, with single scattering beyond an angle. */
const PHYSICS_LISTS = ['G4EmStandardPhysics_option3', 'G4EmStandardPhysicsWVI'];

const binsOf = (depthCm) => Math.round(depthCm / binCm);

async function ofEngine(energyMev, depthCm) {
  const base = tank({ depthCm, radiusCm, detectors: [depthDetector(depthCm, binsOf(depthCm), radiusCm)] });
  const problem = { ...base, beam: { ...base.beam, particle: { name: 'electron', z: -1, a: 0 }, energyMev } };
  const before = process.cpuUsage();
  const output = await simulate(problem, task(primaries));
  const { user, system } = process.cpuUsage(before);
  const values = valuesOf(output, findPage(output, 'depth', 'Dose'));
  return { values, rate: (primaries * 1e6) / (user + system) };
}

/**
 * What Geant4 reads of its data: bremsstrahlung of hydrogen and oxygen, the engine's own table of Seltzer and Berger, as G4SeltzerBergerModel
 * reads it (shares of the photon along x, logarithms of the electron's MeV along y); below and above the table its ends.
 */
async function writeGeant4Data(folder) {
  const tables = path.join(import.meta.dirname, '../packages/engine/assembly/electron/bremsstrahlung-data.ts');
  const { code } = transformSync(fs.readFileSync(tables, 'utf8'), { loader: 'ts' });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { CHI_ENERGY: energies, CHI_SHARE: shares, CHI_CHARGE: charges, CHI: chi } = module;
  fs.mkdirSync(path.join(folder, 'brem_SB'));
  fs.writeFileSync(path.join(folder, 'ENSDFSTATE.dat'), '');
  for (const z of [1, 8]) {
    const first = charges.indexOf(z) * energies.length;
    const rows = energies.map((_, i) => chi.slice((first + i) * shares.length, (first + i + 1) * shares.length));
    const all = [rows[0], ...rows, rows.at(-1)].map((row) => row.join(' '));
    const logs = [1e-3, ...energies, 1e3].map((energy) => Math.log(energy));
    const lines = [`0 ${shares.length} ${logs.length}`, shares.join(' '), logs.join(' '), ...all];
    fs.writeFileSync(path.join(folder, 'brem_SB', `br${z}`), `${lines.join('\n')}\n`);
  }
}

function ofGeant4(folder, list, energyMev, depthCm) {
  const script = path.join(import.meta.dirname, 'geant4/electrons-in-water.py');
  const args = [script, folder, list, energyMev, depthCm, binsOf(depthCm), histories].map(String);
  const { python } = findPythonTool('geant4');
  const said = execFileSync(python, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Float64Array.from(JSON.parse(said.trim().split('\n').at(-1)));
}

function print(name, energyMev, depthCm, values, rate) {
  const curve = new DepthCurve(values, binCm);
  const { r50, practical } = electronRanges(curve);
  const share = (from, to) => (curve.mean(from, to) / curve.peak).toFixed(4);
  const figures = [r50.toFixed(3), practical.toFixed(3), share(0, 0.1), share(0.9 * depthCm, depthCm)];
  console.log([name.padEnd(28), String(energyMev).padEnd(4), ...figures, rate?.toFixed(0) ?? ''].join('   '));
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-geant4-'));
try {
  if (histories > 0) {
    if (!(await providePythonTool('geant4', console.log))) process.exit(1);
    await writeGeant4Data(folder);
  }
  console.log(
    '                               MeV    R50 cm  Rp cm   surface and tail over the maximum   primaries/s of processor time',
  );
  for (const [energyMev, depthCm] of [
    [6, 5],
    [10, 8],
    [12, 9],
    [20, 14],
  ]) {
    const { values, rate } = await ofEngine(energyMev, depthCm);
    print('engine', energyMev, depthCm, values, rate);
    if (histories === 0) continue;
    for (const list of PHYSICS_LISTS) print(list, energyMev, depthCm, ofGeant4(folder, list, energyMev, depthCm));
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
