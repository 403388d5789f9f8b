// Each code as a function from a problem to the dose that it finds: MeV/g per primary in bins of x (summed over y, times the bin's height
// across, so MeV cm/g) and z, x fastest; and the dose-averaged LET along the depth where the code has it, MeV/cm.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findMaterial, ionisationEv, simulate } from '../../packages/engine/dist/src/index.js';
import { findGeant4, findPythonTool } from '../../packages/testkit/dist/src/index.js';
import { runMcsquare } from './mcsquare.mjs';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 2 ** 28;

/** From where and in which direction the beam comes. */
function ray({ tiltDeg = 0, entryCm = 0 }) {
  const angle = (tiltDeg * Math.PI) / 180;
  const direction = [Math.sin(angle), 0, Math.cos(angle)];
  return { direction, position: [entryCm - direction[0], 0, -direction[2]] };
}

const sizeOf = ({ lower, upper }) => upper.map((value, axis) => value - lower[axis]);

/** The problem as the built-in engine takes it. */
export function engineProblem(problem) {
  const { beam, layers, grid } = problem;
  const size = sizeOf(grid);
  const { direction, position } = ray(beam);
  const centre = [0, 0, size[2] / 2];
  const box = (name, from, to) => ({
    name,
    shape: { type: 'box', sizeCm: [size[0], size[1], to - from] },
    centerCm: [0, 0, (from + to) / 2],
    rotationDeg: [0, 0, 0],
  });
  const [first] = beam.energies;
  const page = (keyword, filter) => ({ name: keyword, keyword, modifiers: [], scale: 1, ...(filter && { filter }) });
  // as MCsquare, which leaves heavier recoils where they are set free
  const filter = { name: 'light', rules: [{ keyword: 'Z', operator: '<=', value: 2 }] };
  const mesh = (name, segments) => ({ type: 'mesh', name, centerCm: centre, sizeCm: size, segments });
  return {
    version: 1,
    title: problem.name,
    beam: {
      particle: { name: beam.particle.name, z: beam.particle.z, a: beam.particle.a },
      positionCm: position,
      direction,
      energyMev: first.energyMev,
      energySpreadMev: first.spreadMev,
      energyLowCutoffMev: 0,
      energyHighCutoffMev: 1e5,
      shape: beam.halfCm
        ? { type: 'flat-square', halfXCm: beam.halfCm, halfYCm: beam.halfCm }
        : { type: 'gaussian', sigmaXCm: beam.sigmaCm, sigmaYCm: beam.sigmaCm },
      divergence: { xMrad: 0, yMrad: 0, distanceToFocalCm: 0 },
      ...(beam.energies.length > 1 && {
        spots: beam.energies.map(({ energyMev, spreadMev, weight }) => ({
          energyMev,
          energySpreadMev: spreadMev,
          xCm: 0,
          yCm: 0,
          sigmaXCm: beam.sigmaCm,
          sigmaYCm: beam.sigmaCm,
          divergenceXMrad: 0,
          divergenceYMrad: 0,
          weight,
        })),
      }),
    },
    physics: {
      energyLossFraction: 0.03,
      straggling: 'vavilov',
      scattering: 'moliere',
      nuclearReactions: true,
      stoppingPowerTable: 'icru90',
    },
    materials: [
      { name: 'vacuum', icru: 1000 },
      ...layers.map(({ name, material }) => ({ name, icru: material.icru, densityGcm3: material.density })),
    ],
    figures: [
      {
        name: 'world',
        shape: { type: 'box', sizeCm: [size[0] + 2, size[1] + 2, size[2] + 4] },
        centerCm: centre,
        rotationDeg: [0, 0, 0],
      },
      ...layers.map(({ toCm }, index) => box(`layer ${index + 1}`, layers[index - 1]?.toCm ?? 0, toCm)),
    ],
    zones: layers.map(({ name }, index) => ({
      name,
      material: index + 1,
      terms: [[{ mode: 'union', figure: index + 1 }]],
    })),
    world: { figure: 0, material: 0 },
    detectors: [mesh('map', [grid.bins[0], 1, grid.bins[2]]), mesh('depth', [1, 1, grid.bins[2]])],
    outputs: [
      { name: 'map', detector: 0, quantities: [page('Dose')] },
      ...(problem.kind === 'ions' ? [{ name: 'depth', detector: 1, quantities: [page('dLET', filter)] }] : []),
    ],
  };
}

export async function ofEngine(problem, primaries, { seed = '1' } = {}) {
  const output = await simulate(engineProblem(problem), { primaries, firstHistory: 0, seed });
  const [map, depth] = output.pages;
  const height = sizeOf(problem.grid)[1];
  const [above, below] = depth?.moments ?? [];
  return {
    version: output.engine,
    primaries,
    dose: map.moments[0].map((sum) => (sum / primaries) * height),
    let: depth && above.map((sum, bin) => (below[bin] > 0 ? sum / below[bin] : 0)),
  };
}

function gdmlOf({ layers, grid }) {
  const size = sizeOf(grid);
  const names = layers.map((_, index) => `layer${index + 1}`);
  // as the decks of simC have them: Geant4's own materials of these names may have another composition, as its cortical bone has
  const materials = layers.map(({ material }, index) => {
    const library = findMaterial(material.icru);
    const { composition } = library;
    const parts = composition.map(({ z, fraction }) => `<fraction n="${fraction}" ref="m${index}e${z}"/>`);
    const elements = composition.map(
      ({ z, atomicWeight }) =>
        `<element name="m${index}e${z}" formula="E${z}" Z="${z}"><atom unit="g/mole" value="${atomicWeight}"/></element>`,
    );
    const values = `<MEE unit="eV" value="${ionisationEv(library, 'icru90')}"/><D value="${material.density}" unit="g/cm3"/>`;
    return `${elements.join('')}<material name="m${index}">${values}${parts.join('')}</material>`;
  });
  const solids = layers.map(({ toCm }, index) => {
    const thickness = toCm - (layers[index - 1]?.toCm ?? 0);
    return `<box name="${names[index]}_box" x="${size[0]}" y="${size[1]}" z="${thickness}" lunit="cm"/>`;
  });
  const volumes = layers.map(
    (_, index) =>
      `<volume name="${names[index]}"><materialref ref="m${index}"/><solidref ref="${names[index]}_box"/></volume>`,
  );
  const places = layers.map(({ toCm }, index) => {
    const middle = (toCm + (layers[index - 1]?.toCm ?? 0)) / 2;
    return `<physvol><volumeref ref="${names[index]}"/><position name="p${index}" z="${middle}" unit="cm"/></physvol>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<gdml><define/>
<materials>${materials.join('')}</materials>
<solids><box name="world_box" x="${size[0] + 2}" y="${size[1] + 2}" z="${2 * size[2] + 8}" lunit="cm"/>${solids.join('')}</solids>
<structure>${volumes.join('')}<volume name="world"><materialref ref="G4_Galactic"/><solidref ref="world_box"/>${places.join('')}</volume></structure>
<setup name="Default" version="1.0"><world ref="world"/></setup></gdml>
`;
}

function macroOf({ beam, grid }, primaries) {
  const { direction, position } = ray(beam);
  const size = sizeOf(grid);
  const { particle } = beam;
  const source = (energy) => [
    `/gps/particle ${particle.geant4}`,
    ...(particle.geant4 === 'ion' ? [`/gps/ion ${particle.z} ${particle.a} ${particle.z} 0`] : []),
    `/gps/position ${position.join(' ')} cm`,
    `/gps/direction ${direction.join(' ')}`,
    ...(beam.halfCm
      ? [
          '/gps/pos/type Plane',
          '/gps/pos/shape Square',
          `/gps/pos/halfx ${beam.halfCm} cm`,
          `/gps/pos/halfy ${beam.halfCm} cm`,
        ]
      : ['/gps/pos/type Beam', `/gps/pos/sigma_x ${beam.sigmaCm} cm`, `/gps/pos/sigma_y ${beam.sigmaCm} cm`]),
    // a source across the beam
    ...(beam.tiltDeg ? [`/gps/pos/rot1 ${direction[2]} 0 ${-direction[0]}`, '/gps/pos/rot2 0 1 0'] : []),
    ...(energy.spreadMev > 0
      ? ['/gps/ene/type Gauss', `/gps/ene/mono ${energy.energyMev} MeV`, `/gps/ene/sigma ${energy.spreadMev} MeV`]
      : [`/gps/ene/mono ${energy.energyMev} MeV`]),
  ];
  const [first, ...others] = beam.energies;
  return [
    '/run/initialize',
    ...source(first),
    ...(others.length > 0 ? [`/gps/source/intensity ${first.weight}`] : []),
    ...others.flatMap((energy) => [`/gps/source/add ${energy.weight}`, ...source(energy)]),
    '/score/create/boxMesh map',
    `/score/mesh/boxSize ${size.map((one) => one / 2).join(' ')} cm`,
    `/score/mesh/translate/xyz 0 0 ${size[2] / 2} cm`,
    `/score/mesh/nBin ${grid.bins[0]} 1 ${grid.bins[2]}`,
    '/score/quantity/energyDeposit energy MeV',
    '/score/close',
    '/random/setSeeds 11 12',
    `/run/beamOn ${primaries}`,
    '/score/dumpQuantityToFile map energy energy.txt',
    '',
  ].join('\n');
}

const densityAt = (layers, depthCm) => layers.find(({ toCm }) => depthCm < toCm).material.density;

/** Energies of bins as dose, in the form of this module. */
function doseOf(energies, { grid, layers }) {
  const size = sizeOf(grid);
  const area = (size[0] / grid.bins[0]) * (size[2] / grid.bins[2]);
  const [nx, , nz] = grid.bins;
  return energies.map((energy, bin) => {
    const depth = ((Math.floor(bin / nx) + 0.5) * size[2]) / nz;
    return energy / (area * densityAt(layers, depth));
  });
}

export async function ofGeant4(problem, primaries, { work }) {
  const { executable, args, env } = findGeant4();
  fs.writeFileSync(path.join(work, 'geometry.gdml'), gdmlOf(problem));
  fs.writeFileSync(path.join(work, 'run.mac'), macroOf(problem, primaries));
  const command = [...args, '--gdml', 'geometry.gdml', '--macro', 'run.mac'];
  const options = { cwd: work, env: { ...process.env, ...env }, maxBuffer: OUTPUT_BYTES_MAX };
  const { stdout } = await run(executable, command, options);
  const [nx, , nz] = problem.grid.bins;
  const energies = new Float64Array(nx * nz);
  for (const line of fs.readFileSync(path.join(work, 'energy.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [x, , z, energy] = line.split(',').map(Number);
    energies[x + nx * z] = energy / primaries;
  }
  return { version: `Geant4 ${/Geant4 version (\S+)/.exec(stdout)?.[1]}`, primaries, dose: doseOf(energies, problem) };
}

export async function ofMcsquare(problem, primaries, { work }) {
  const { dose, let: values } = await runMcsquare(mcsquareFolder(), work, problem, { primaries });
  const [nx, ny, nz] = problem.grid.bins;
  const dy = sizeOf(problem.grid)[1] / ny;
  const map = new Float64Array(nx * nz);
  const above = new Float64Array(nz);
  const below = new Float64Array(nz);
  for (const [bin, value] of dose.entries()) {
    const z = Math.floor(bin / (nx * ny));
    map[(bin % nx) + nx * z] += value * dy;
    above[z] += value * values[bin];
    below[z] += value;
  }
  const let_ = above.map((sum, z) => (below[z] > 0 ? sum / below[z] : 0));
  return { version: 'MCsquare (opentps-core 2.0.0)', primaries, dose: map, let: let_ };
}

/** Where the package of MCsquare is unpacked. */
export function mcsquareFolder() {
  const lib = path.join(path.dirname(path.dirname(findPythonTool('mcsquare').python)), 'lib');
  const [version] = fs.readdirSync(lib).filter((name) => name.startsWith('python'));
  return path.join(lib, version, 'site-packages');
}

export async function ofOmpmc(problem, primaries, { work }) {
  const file = path.join(work, 'problem.json');
  fs.writeFileSync(file, JSON.stringify({ ...problem, primaries }));
  const { python } = findPythonTool('ompmc');
  const script = path.join(import.meta.dirname, 'run-ompmc.py');
  const env = { ...process.env, OMP_NUM_THREADS: '1' };
  const { stdout } = await run(python, [script, file], { cwd: work, env, maxBuffer: OUTPUT_BYTES_MAX });
  const { version, energies } = JSON.parse(stdout.trim().split('\n').at(-1));
  return { version: `ompMC ${version}`, primaries, dose: doseOf(Float64Array.from(energies), problem) };
}
