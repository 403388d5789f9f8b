import { beamAxes } from '../deck/beam/beam-axes.js';
import { convertBeamEnergy } from '../deck/beam/beam-energy.js';
import { readBeamParticle } from '../deck/beam/read-beam-particle.js';
import type { ConversionReport } from '../deck/conversion-report.js';
import type { Beam } from '../project/beam.js';
import type { Project } from '../project/project.js';
import { type Frame, placementLines } from './frame.js';
import { dimensioned, dimensionedValues, integer, text, unitless, unitlessValues } from './parameter.js';
import { particleName } from './particle-name.js';

/** Name of the source, and of the group that places it. */
export const SOURCE_NAME = 'Beam';
export const BEAM_COMPONENT = 'BeamFrame';
const PATH = `So/${SOURCE_NAME}`;

/** Gaussian tails are cut this many standard deviations away: 1 in 10¹⁵ is beyond. */
const CUTOFF_SIGMAS = 8;
/** Smallest width and opening that the simulator takes. */
const WIDTH_MIN_CM = 1e-9;
const OPENING_MIN_RAD = 1e-9;
/** Limits of the energy beyond this many standard deviations cut nothing. */
const ENERGY_SIGMAS = 6;
/** Points of the spectrum of a Gaussian that is cut; the simulator goes straight from one to the next. */
const SPECTRUM_POINTS = 401;
const HISTORIES_MAX = 2_147_483_647;
const RADIANS_PER_MRAD = 1e-3;

/** One axis across the beam. */
interface CrossAxis {
  readonly sizeCm: number;
  readonly divergenceRad: number;
  /** Inverse of the source-to-axis distance, 1/cm; 0: parallel. */
  readonly inverseSadCm: number;
}

/** The source: a group that points it, particle, energy, and the distribution of places and directions. */
export function convertBeam(project: Project, world: Frame, report: ConversionReport): string[] {
  const { beam } = project;
  if (beam.sourceType === 'file') {
    const name = beam.sourceFile?.name ?? '';
    report.refuse('/beam/sourceType', `a beam from a source file ("${name}") is not supported`);
  }
  return [
    text(`Ge/${BEAM_COMPONENT}/Type`, 'Group'),
    text(`Ge/${BEAM_COMPONENT}/Parent`, 'World'),
    ...placementLines(BEAM_COMPONENT, { centerCm: beam.position, axes: beamAxes(beam.direction) }, world),
    '',
    ...particleLines(project, report),
    ...spreadLines(beam, report),
    integer(`${PATH}/NumberOfHistoriesInRun`, Math.min(beam.numberOfParticles, HISTORIES_MAX)),
  ];
}

function particleLines(project: Project, report: ConversionReport): string[] {
  const species = readBeamParticle(project, report);
  if (species === undefined) return [];
  const { energy, spread, lowCutoff, highCutoff } = convertBeamEnergy(project.beam, species, 'MeV', report);
  return [
    text(`${PATH}/Component`, BEAM_COMPONENT),
    text(`${PATH}/BeamParticle`, particleName(species)),
    ...energyLines(
      energy,
      spread,
      Math.max(lowCutoff, energy - ENERGY_SIGMAS * spread),
      Math.min(highCutoff, energy + ENERGY_SIGMAS * spread),
      report,
    ),
  ];
}

/** Limits that cut into the Gaussian need a spectrum: the simulator's own has none. Energies MeV. */
function energyLines(energy: number, spread: number, low: number, high: number, report: ConversionReport): string[] {
  const isCut = low > energy - ENERGY_SIGMAS * spread || high < energy + ENERGY_SIGMAS * spread;
  if (spread > 0 && isCut && low < high) return spectrumLines(energy, spread, low, high);
  if (low > high) report.refuse('/beam/energyLowCutoff', 'must not be more than the energy and energyHighCutoff');
  const mean = Math.min(high, Math.max(low, energy));
  return [dimensioned(`${PATH}/BeamEnergy`, mean, 'MeV'), unitless(`${PATH}/BeamEnergySpread`, (spread / mean) * 100)];
}

function spectrumLines(energy: number, spread: number, low: number, high: number): string[] {
  const energies = Array.from(
    { length: SPECTRUM_POINTS },
    (_, index) => low + ((high - low) * index) / (SPECTRUM_POINTS - 1),
  );
  const exponents = energies.map((value) => -0.5 * ((value - energy) / spread) ** 2);
  const largest = Math.max(...exponents);
  return [
    text(`${PATH}/BeamEnergySpectrumType`, 'Continuous'),
    dimensionedValues(`${PATH}/BeamEnergySpectrumValues`, energies, 'MeV'),
    unitlessValues(
      `${PATH}/BeamEnergySpectrumWeights`,
      exponents.map((exponent) => Math.exp(exponent - largest)),
    ),
  ];
}

function spreadLines(beam: Beam, report: ConversionReport): string[] {
  const { sigma, divergence } = beam;
  const hasAngles = divergence.x > 0 || divergence.y > 0 || beam.sad.type !== 'none';
  if (hasAngles && sigma.type === 'Gaussian') return emittanceLines(beam, report);
  if (beam.sad.type !== 'none') report.refuse('/beam/sad', `a source-to-axis distance needs a Gaussian beam`);
  if (hasAngles && divergence.distanceToFocal !== 0) {
    report.refuse('/beam/divergence/distanceToFocal', 'a focal distance needs a Gaussian beam');
  }
  return [text(`${PATH}/Type`, 'Beam'), ...positionLines(sigma), ...angularLines(beam)];
}

function positionLines({ type, x, y }: Beam['sigma']): string[] {
  const [sizeX, sizeY] = [Math.abs(x), Math.abs(y)];
  if (type === 'Gaussian') {
    if (sizeX === 0 && sizeY === 0) return [text(`${PATH}/BeamPositionDistribution`, 'None')];
    const [spreadX, spreadY] = [Math.max(sizeX, WIDTH_MIN_CM), Math.max(sizeY, WIDTH_MIN_CM)];
    return [
      ...cutoffLines('Gaussian', 'Rectangle', spreadX * CUTOFF_SIGMAS, spreadY * CUTOFF_SIGMAS),
      dimensioned(`${PATH}/BeamPositionSpreadX`, spreadX, 'cm'),
      dimensioned(`${PATH}/BeamPositionSpreadY`, spreadY, 'cm'),
    ];
  }
  if (type === 'Flat square') {
    if (sizeX === 0 && sizeY === 0) return [text(`${PATH}/BeamPositionDistribution`, 'None')];
    return cutoffLines('Flat', 'Rectangle', Math.max(sizeX, WIDTH_MIN_CM), Math.max(sizeY, WIDTH_MIN_CM));
  }
  return sizeY === 0
    ? [text(`${PATH}/BeamPositionDistribution`, 'None')]
    : cutoffLines('Flat', 'Ellipse', sizeY, sizeY);
}

function cutoffLines(distribution: string, shape: string, x: number, y: number): string[] {
  return [
    text(`${PATH}/BeamPositionDistribution`, distribution),
    text(`${PATH}/BeamPositionCutoffShape`, shape),
    dimensioned(`${PATH}/BeamPositionCutoffX`, x, 'cm'),
    dimensioned(`${PATH}/BeamPositionCutoffY`, y, 'cm'),
  ];
}

function angularLines({ divergence: { x, y } }: Beam): string[] {
  if (x === 0 && y === 0) return [text(`${PATH}/BeamAngularDistribution`, 'None')];
  return [
    text(`${PATH}/BeamAngularDistribution`, 'Gaussian'),
    dimensioned(`${PATH}/BeamAngularCutoffX`, 90, 'deg'),
    dimensioned(`${PATH}/BeamAngularCutoffY`, 90, 'deg'),
    dimensioned(`${PATH}/BeamAngularSpreadX`, Math.max(x * RADIANS_PER_MRAD, OPENING_MIN_RAD), 'rad'),
    dimensioned(`${PATH}/BeamAngularSpreadY`, Math.max(y * RADIANS_PER_MRAD, OPENING_MIN_RAD), 'rad'),
  ];
}

/**
 * Place and slope of a Gaussian beam as two correlated Gaussians: a particle of slope t starts at s − t·f, s being its
 * place in the focal plane at f, and diverges from there by s/SAD more.
 */
function emittanceLines(beam: Beam, report: ConversionReport): string[] {
  const { sad, divergence, sigma } = beam;
  if (sad.type !== 'none' && sad.x <= 0) report.refuse('/beam/sad/x', 'must be more than 0');
  if (sad.type === 'double' && sad.y <= 0) report.refuse('/beam/sad/y', 'must be more than 0');
  const sadY = sad.type === 'single' ? sad.x : sad.y;
  const inverse = (distance: number): number => (sad.type === 'none' || distance <= 0 ? 0 : 1 / distance);
  const x = { sizeCm: Math.abs(sigma.x), divergenceRad: divergence.x * RADIANS_PER_MRAD, inverseSadCm: inverse(sad.x) };
  const y = { sizeCm: Math.abs(sigma.y), divergenceRad: divergence.y * RADIANS_PER_MRAD, inverseSadCm: inverse(sadY) };
  return [
    text(`${PATH}/Type`, 'Emittance'),
    text(`${PATH}/Distribution`, 'BiGaussian'),
    ...crossLines('X', x, divergence.distanceToFocal),
    ...crossLines('Y', y, divergence.distanceToFocal),
  ];
}

function crossLines(name: string, { sizeCm, divergenceRad, inverseSadCm }: CrossAxis, focalCm: number): string[] {
  const width = Math.hypot(sizeCm, divergenceRad * focalCm);
  const slope = Math.hypot(sizeCm * inverseSadCm, divergenceRad);
  const covariance = sizeCm ** 2 * inverseSadCm - divergenceRad ** 2 * focalCm;
  return [
    dimensioned(`${PATH}/Sigma${name}`, width, 'cm'),
    unitless(`${PATH}/Sigma${name}prime`, slope),
    unitless(`${PATH}/Correlation${name}`, width * slope === 0 ? 0 : covariance / (width * slope)),
  ];
}
