// MCsquare, a Monte Carlo code of protons in voxels (PyPI `opentps-core`, Apache 2.0), run as a program: its input from a problem of
// problems.mjs, its dose and LET on the problem's grid.
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** Folder of the package that holds the program and its materials. */
const PROGRAM = 'opentps/core/processing/doseCalculation/protons/MCsquare';
export const MCSQUARE_PACKAGE = 'opentps-core==2.0.0';
/** The cuts are those that its authors call defaults. */
const SETTINGS = {
  Num_Threads: 1,
  E_Cut_Pro: 0.5,
  D_Max: 0.2,
  Epsilon_Max: 0.25,
  Te_Min: 0.05,
  CT_File: 'CT.mhd',
  HU_Density_Conversion_File: 'density.txt',
  HU_Material_Conversion_File: 'material.txt',
  BDL_Machine_Parameter_File: 'BDL.txt',
  BDL_Plan_File: 'plan.txt',
  Output_Directory: 'out',
  Compute_stat_uncertainty: 'False',
  Dose_MHD_Output: 'True',
  LET_Calculation_Method: 'StopPow',
};
/** What a plan's spots are placed from, mm: any, where no spot is off the axis. */
const MAGNET_DISTANCE_MM = 1e6;
const NOZZLE_DISTANCE_MM = 500;
const DIVERGENCE_RAD = 1e-6;
const EV_PER_MEV = 1e6;
const OUTPUT_BYTES_MAX = 2 ** 26;

function writeConfig(folder, settings) {
  const lines = Object.entries({ ...SETTINGS, ...settings }).map(([name, value]) => `${name} ${value}`);
  fs.writeFileSync(path.join(folder, 'config.txt'), `${lines.join('\n')}\n`);
}

/** Layers as one row of voxels each; the depth is against the image's y, as a gantry at 0° shoots. */
function writeImage(folder, { layers, grid }) {
  const [nx, ny, nz] = grid.bins;
  const [dx, dy, dz] = grid.bins.map((bins, axis) => (10 * (grid.upper[axis] - grid.lower[axis])) / bins);
  const header = [
    'ObjectType = Image',
    'NDims = 3',
    'DimSize = ' + [nx, nz, ny].join(' '),
    'ElementSpacing = ' + [dx, dz, dy].join(' '),
    'Offset = 0 0 0',
    'ElementType = MET_FLOAT',
    'ElementByteOrderMSB = False',
    'ElementDataFile = CT.raw',
  ];
  fs.writeFileSync(path.join(folder, 'CT.mhd'), `${header.join('\n')}\n`);
  const values = new Float32Array(nx * ny * nz);
  const depthOf = (bin) => grid.lower[2] + ((bin + 0.5) * dz) / 10;
  for (let row = 0; row < nz; row += 1) {
    const layer = layers.findIndex(({ toCm }) => depthOf(row) < toCm);
    for (let slice = 0; slice < ny; slice += 1) {
      const first = nx * (nz - 1 - row + nz * slice);
      values.fill(1000 * (layer + 1), first, first + nx);
    }
  }
  fs.writeFileSync(path.join(folder, 'CT.raw'), values);
  const rows = layers.map(({ material }, index) => ({ number: 1000 * (index + 1), ...material }));
  const density = rows.flatMap(({ number, density: rho }) => [`${number - 1} ${rho}`, `${number + 1} ${rho}`]);
  const labels = rows.map(({ number, mcsquare }) => `${number - 500} ${mcsquare}`);
  fs.writeFileSync(path.join(folder, 'density.txt'), `${density.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'material.txt'), `${labels.join('\n')}\n`);
}

/** A machine whose spots are the problem's: parallel, Gaussian. Lines end in LF: with CRLF every proton misses the image. */
function writeMachine(folder, { beam }) {
  const head = [
    '--UPenn beam model (double gaussian)--',
    '# of a problem',
    '',
    'Nozzle exit to Isocenter distance',
    NOZZLE_DISTANCE_MM,
    '',
    'SMX to Isocenter distance',
    MAGNET_DISTANCE_MM,
    '',
    'SMY to Isocenter distance',
    MAGNET_DISTANCE_MM,
    '',
    'Beam parameters',
    `${Math.max(2, beam.energies.length)} energies`,
    '',
    [
      'NominalEnergy',
      'MeanEnergy',
      'EnergySpread',
      'ProtonsMU',
      'Weight1',
      'SpotSize1x',
      'Divergence1x',
      'Correlation1x',
    ]
      .concat(['SpotSize1y', 'Divergence1y', 'Correlation1y', 'Weight2', 'SpotSize2x', 'Divergence2x', 'Correlation2x'])
      .concat(['SpotSize2y', 'Divergence2y', 'Correlation2y'])
      .join('\t'),
  ];
  // a divergence of zero puts every proton nowhere
  const spot = [10 * beam.sigmaCm, DIVERGENCE_RAD, 0];
  const row = (energy, { energyMev, spreadMev }) =>
    [energy, energy, (100 * spreadMev) / energyMev, 1, 1, ...spot, ...spot, 0, ...spot, ...spot].join('\t');
  const rows = beam.energies.map((one) => row(one.energyMev, one));
  // a table of one row cannot be interpolated
  if (rows.length === 1) rows.push(row(beam.energies[0].energyMev + 1, beam.energies[0]));
  fs.writeFileSync(path.join(folder, 'BDL.txt'), `${[...head, ...rows].join('\n')}\n`);
}

function writePlan(folder, { beam, grid }) {
  const total = beam.energies.reduce((sum, { weight }) => sum + weight, 0);
  // where the beam enters: the surface is at the image's largest y
  const isocentre = [
    10 * ((beam.entryCm ?? 0) - grid.lower[0]),
    10 * (grid.upper[2] - grid.lower[2]),
    -10 * grid.lower[1],
  ];
  let cumulative = 0;
  const points = beam.energies.map(({ energyMev, weight }, index) => {
    cumulative += weight;
    return `####ControlPointIndex
${index + 1}
####SpotTunnedID
1
####CumulativeMetersetWeight
${cumulative}
####Energy (MeV)
${energyMev}
####NbOfScannedSpots
1
####X Y Weight
0 0 ${weight}
`;
  });
  const plan = `#TREATMENT-PLAN-DESCRIPTION
#PlanName
plan
#NumberOfFractions
1
##FractionID
1
##NumberOfFields
1
###FieldsID
1
#TotalMetersetWeightOfAllFields
${total}

#FIELD-DESCRIPTION
###FieldID
1
###FinalCumulativeMeterSetWeight
${total}
###GantryAngle
${(360 - (beam.tiltDeg ?? 0)) % 360}
###PatientSupportAngle
0
###IsocenterPosition
${isocentre.join(' ')}
###NumberOfControlPoints
${beam.energies.length}

#SPOTS-DESCRIPTION
${points.join('')}`;
  fs.writeFileSync(path.join(folder, 'plan.txt'), plan);
}

/** An image that it has written, with the depth as the last axis, per `unit`; it sees x from the other side. */
function readImage(folder, name, grid, unit) {
  const [nx, ny, nz] = grid.bins;
  const bytes = fs.readFileSync(path.join(folder, 'out', `${name}.raw`));
  const image = new Float32Array(bytes.buffer, bytes.byteOffset, nx * ny * nz);
  const values = new Float64Array(nx * ny * nz);
  for (let slice = 0; slice < ny; slice += 1) {
    for (let row = 0; row < nz; row += 1) {
      const from = nx * (nz - 1 - row + nz * slice);
      const to = nx * (slice + ny * row);
      for (let column = 0; column < nx; column += 1) values[to + column] = image[from + nx - 1 - column] / unit;
    }
  }
  return values;
}

/** Processor time of the children, user and system, by the last line of `times`: 0m4.250s 0m0.079s. */
function secondsOf(said) {
  const parts = [...(said.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

/** Builds for one family of instructions each, the fastest first; the last runs everywhere. */
const BUILDS = ['_avx512', '_avx2', '_avx', '_sse4', ''];

/** The fastest build that starts here: those for newer instructions refuse other makers' processors, whatever these can. */
export function findProgram(folder) {
  for (const build of BUILDS) {
    const program = path.join(folder, PROGRAM, `MCsquare_linux${build}`);
    fs.chmodSync(program, 0o755);
    const { stderr } = spawnSync(program, [], { encoding: 'utf8' });
    if (!stderr.includes('verify that both the operating system and the processor')) return program;
  }
  throw new Error('no build of MCsquare starts on this processor');
}

/**
 * Runs a problem of protons: dose MeV/g and dose-averaged LET MeV/cm of each bin of its grid, x fastest, per primary; and the processor
 * time that it takes, start-up too, s. `folder`: where the package is unpacked.
 */
export async function runMcsquare(folder, work, problem, { primaries, seed = 1, withLet = true }) {
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(path.join(work, 'out'), { recursive: true });
  writeConfig(work, { Num_Primaries: primaries, RNG_Seed: seed, LET_MHD_Output: withLet ? 'True' : 'False' });
  writeImage(work, problem);
  writeMachine(work, problem);
  writePlan(work, problem);
  const env = { MCsquare_Materials_Dir: path.join(folder, PROGRAM, 'Materials'), PATH: process.env.PATH };
  const options = { cwd: work, env, maxBuffer: OUTPUT_BYTES_MAX };
  // the shell tells the processor time of its child
  const { stdout } = await promisify(execFile)('sh', ['-c', '"$0" config.txt && times', findProgram(folder)], options);
  return {
    dose: readImage(work, 'Dose', problem.grid, EV_PER_MEV),
    // keV/µm to MeV/cm
    let: withLet ? readImage(work, 'LET', problem.grid, 0.1) : undefined,
    seconds: secondsOf(stdout),
  };
}
