import type { Vector } from '@tally/engine';
import { unitVector } from '../../deck/beam/beam-axes.js';
import { convertBeamEnergy } from '../../deck/beam/beam-energy.js';
import { readSpecies } from '../../deck/beam/read-species.js';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { formatShort } from '../../deck/number-format.js';
import type { Beam, BeamShape } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';
import type { Physics } from '../../project/physics.js';
import type { Project } from '../../project/project.js';
import { SOURCE_FILE } from '../deck-files.js';
import type { Modulator } from './convert-modulator.js';
import { findBeamSpecies, HEAVY_ION_ID } from './species.js';

/** Stands in every job's deck; a task's own is set when the deck is apportioned. */
const RANDOM_SEED = 89_736_501;
const STRAGGLING = { 'no straggling': 0, Gaussian: 1, Vavilov: 2 } as const;
const SCATTERING = { 'no scattering': 0, Gaussian: 1, Moliere: 2 } as const;
/** A flat square of no width along one axis: the sign of zero would be lost, and with it the shape. */
const FLAT_HALF_WIDTH_MIN_CM = 1e-6;
/** Above every energy, MeV or MeV per nucleon. */
const NO_LIMIT_MEV = 1e6;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/**
 * `beam.dat`, free format: keyword, values, comment after `!`. Numbers have full precision. Divergence is written as
 * `BEAMDIV`, which the reference converter leaves out. A heavy ion that has a particle of its own (Z=1, A=2 …) keeps
 * 25, as the project says.
 */
export function convertBeam(project: Project, modulator: Modulator | undefined, report: ConversionReport): string {
  const { beam, physic } = project;
  const lines = [
    '',
    ...particleLines(project, report),
    line('NSTAT', [`${beam.numberOfParticles}`, '0'], 'histories, step of saving'),
    ...physicsLines(physic),
    ...modulatorLines(modulator),
    ...placementLines(beam, report),
    line('DELTAE', [formatShort(physic.energyLoss)], 'largest fraction of the energy lost in a step'),
  ];
  if (beam.sourceType === 'file') lines.push(line('USECBEAM', [SOURCE_FILE]));
  return lines.join('\n');
}

function line(keyword: string, values: readonly string[], comment?: string): string {
  const text = `${keyword.padEnd(12)}${values.join('  ')}`;
  return comment === undefined ? text : `${text.padEnd(36)} ! ${comment}`;
}

function particleLines(project: Project, report: ConversionReport): string[] {
  const species = readSpecies(project.beam.particle, '/beam/particle', report);
  const own = species === undefined ? undefined : findBeamSpecies(species);
  if (species === undefined) return [];
  if (own === undefined) {
    report.refuse('/beam/particle/id', `a beam of ${species.name}s is not supported`);
    return [];
  }
  const { energy, spread, lowCutoff, highCutoff } = convertBeamEnergy(project.beam, species, own.unit);
  return [
    line('RNDSEED', [`${RANDOM_SEED}`], 'random seed'),
    line('JPART0', [`${own.id}`], species.name),
    ionLine(own.id, species),
    line('TMAX0', [energy, spread].map(formatShort), `energy, spread; ${own.unit}`),
    energyLimitsLine(lowCutoff, highCutoff),
  ];
}

/** The simulator takes both limits or none. */
function energyLimitsLine(low: number, high: number): string {
  if (low === 0 && high === Number.POSITIVE_INFINITY) return '! no limits of the energy';
  const limits = [low, Math.min(high, NO_LIMIT_MEV)].map(formatShort);
  return line('TCUT0', limits, 'lower and upper limit of the energy');
}

function ionLine(id: number, { a, z }: Species): string {
  return id === HEAVY_ION_ID ? line('HIPROJ', [`${a}`, `${z}`], 'A and Z of the ion') : '! no heavy ion';
}

function physicsLines(physics: Physics): string[] {
  return [
    line('STRAGG', [`${STRAGGLING[physics.energyModelStraggling]}`], 'straggling: 0 off, 1 Gaussian, 2 Vavilov'),
    line('MSCAT', [`${SCATTERING[physics.multipleScattering]}`], 'scattering: 0 off, 1 Gaussian, 2 Moliere'),
    line('NUCRE', [physics.enableNuclearReactions ? '1' : '0'], 'nuclear reactions'),
  ];
}

function modulatorLines(modulator: Modulator | undefined): string[] {
  if (modulator === undefined) return ['! no modulator'];
  return [
    line('USEBMOD', [`${modulator.zone}`, modulator.fileName], 'zone and file of the modulator'),
    line('BMODMC', [modulator.method === 'sampling' ? '1' : '0'], '0 modulus, 1 sampling'),
    line('BMODTRANS', [modulator.isVacuum ? '1' : '0'], '0 material, 1 vacuum'),
  ];
}

function placementLines(beam: Beam, report: ConversionReport): string[] {
  const { divergence } = beam;
  const lines = [
    line('BEAMPOS', beam.position.map(formatShort), 'cm'),
    line('BEAMDIR', toAngles(unitVector(beam.direction)).map(formatShort), 'polar and azimuthal angle, deg'),
    line('BEAMSIGMA', shapeValues(beam.sigma).map(formatShort), 'cm'),
    sadLine(beam, report),
  ];
  if (divergence.x > 0 || divergence.y > 0) {
    const values = [divergence.x, divergence.y, divergence.distanceToFocal].map(formatShort);
    lines.push(line('BEAMDIV', values, 'mrad, mrad, cm to the focal plane'));
  }
  return lines;
}

/** Polar angle, and azimuth in [0, 360). */
function toAngles([x, y, z]: Vector): readonly [theta: number, phi: number] {
  const theta = Math.atan2(Math.hypot(x, y), z) * DEGREES_PER_RADIAN;
  const phi = Math.atan2(y, x) * DEGREES_PER_RADIAN;
  return [theta, phi < 0 ? phi + 360 : phi];
}

/** Both positive: Gaussian; both negative: half-widths of a square; the second alone negative: radius of a disk. */
function shapeValues({ type, x, y }: BeamShape): readonly [number, number] {
  const [sizeX, sizeY] = [Math.abs(x), Math.abs(y)];
  switch (type) {
    case 'Gaussian':
      return [sizeX, sizeY];
    case 'Flat square':
      if (sizeX === 0 && sizeY === 0) return [0, 0];
      return [-Math.max(sizeX, FLAT_HALF_WIDTH_MIN_CM), -Math.max(sizeY, FLAT_HALF_WIDTH_MIN_CM)];
    case 'Flat circular':
      return sizeY === 0 ? [0, 0] : [1, -sizeY];
  }
}

function sadLine({ sad: { type, x, y } }: Beam, report: ConversionReport): string {
  if (type === 'none') return '! no source-to-axis distance';
  if (x <= 0) report.refuse('/beam/sad/x', 'must be more than 0');
  if (y <= 0 && type === 'double') report.refuse('/beam/sad/y', 'must be more than 0');
  return line('BEAMSAD', (type === 'single' ? [x] : [x, y]).map(formatShort), 'cm');
}
