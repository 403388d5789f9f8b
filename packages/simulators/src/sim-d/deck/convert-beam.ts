import { beamAxes } from '../../deck/beam/beam-axes.js';
import { convertBeamEnergy } from '../../deck/beam/beam-energy.js';
import { listBeams, type WeightedBeam } from '../../deck/beam/list-beams.js';
import { readSpecies } from '../../deck/beam/read-species.js';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { NameTable } from '../../deck/name-table.js';
import type { Beam } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';
import type { Project } from '../../project/project.js';
import { type Frame, placementLines } from './frame.js';
import { dimensioned, dimensionedValues, integer, text, unitless, unitlessValues } from './parameter.js';
import { particleName } from './particle-name.js';

/** Name of the source, and of the group that places it; spots have numbers behind. */
const SOURCE_NAME = 'Beam';
export const BEAM_COMPONENT = 'BeamFrame';

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
}

/**
 * The source: a group that points it, particle, energy, and the distribution of places and directions. A spot list becomes
 * a source for each spot, with its share of the histories.
 */
export function convertBeam(project: Project, world: Frame, names: NameTable, report: ConversionReport): string[] {
  const { beam } = project;
  const species = readSpecies(beam.particle, '/beam/particle', report);
  if (species === undefined) return [];
  const beams = listBeams(beam, species, report);
  const [only] = beams;
  if (beams.length === 1 && only !== undefined) {
    const histories = Math.min(beam.numberOfParticles, HISTORIES_MAX);
    return sourceLines(
      { name: SOURCE_NAME, component: BEAM_COMPONENT, beam: only.beam, histories },
      species,
      world,
      report,
    );
  }
  const histories = shareHistories(beam.numberOfParticles, beams);
  const idle = histories.filter((count) => count === 0).length;
  if (idle > 0) {
    const message = `${idle} of ${beams.length} spots get none of the ${beam.numberOfParticles} primaries: their shares are less than one`;
    report.warn('SPOTS_WITHOUT_PRIMARIES', message);
  }
  return beams.flatMap(({ beam: spot }, index) => {
    const count = histories[index] ?? 0;
    if (count === 0) return [];
    const name = `${SOURCE_NAME}${index + 1}`;
    const component = names.claim(`spot ${index + 1}`, `${BEAM_COMPONENT}${index + 1}`);
    return sourceLines({ name, component, beam: spot, histories: count }, species, world, report);
  });
}

/** Whole numbers in proportion to the weights: those of the first spots together are never one away from their share. */
function shareHistories(histories: number, beams: readonly WeightedBeam[]): number[] {
  const total = beams.reduce((sum, { weight }) => sum + weight, 0);
  let weightBefore = 0;
  let countBefore = 0;
  return beams.map(({ weight }) => {
    weightBefore += weight;
    const count = Math.min(HISTORIES_MAX, Math.round((histories * weightBefore) / total) - countBefore);
    countBefore += count;
    return count;
  });
}

interface Source {
  readonly name: string;
  /** Group that places it. */
  readonly component: string;
  readonly beam: Beam;
  readonly histories: number;
}

function sourceLines(source: Source, species: Species, world: Frame, report: ConversionReport): string[] {
  const { component, beam } = source;
  const path = `So/${source.name}`;
  const { energy, spread, lowCutoff, highCutoff } = convertBeamEnergy(beam, species, 'MeV');
  return [
    text(`Ge/${component}/Type`, 'Group'),
    text(`Ge/${component}/Parent`, 'World'),
    ...placementLines(component, { centerCm: beam.position, axes: beamAxes(beam.direction) }, world),
    '',
    text(`${path}/Component`, component),
    text(`${path}/BeamParticle`, particleName(species)),
    ...energyLines(path, {
      energy,
      spread,
      low: Math.max(lowCutoff, energy - ENERGY_SIGMAS * spread),
      high: Math.min(highCutoff, energy + ENERGY_SIGMAS * spread),
      report,
    }),
    ...spreadLines(path, beam, report),
    integer(`${path}/NumberOfHistoriesInRun`, source.histories),
  ];
}

/** A Gaussian and its limits, MeV. */
interface Spectrum {
  readonly energy: number;
  readonly spread: number;
  readonly low: number;
  readonly high: number;
}

/** Limits that cut into the Gaussian need a spectrum: the simulator's own has none. Energies MeV. */
function energyLines(
  path: string,
  { energy, spread, low, high, report }: Spectrum & { readonly report: ConversionReport },
): string[] {
  const isCut = low > energy - ENERGY_SIGMAS * spread || high < energy + ENERGY_SIGMAS * spread;
  if (spread > 0 && isCut && low < high) return spectrumLines(path, { energy, spread, low, high });
  if (low > high) report.refuse('/beam/energyLowCutoff', 'must not be more than the energy and energyHighCutoff');
  const mean = Math.min(high, Math.max(low, energy));
  return [dimensioned(`${path}/BeamEnergy`, mean, 'MeV'), unitless(`${path}/BeamEnergySpread`, (spread / mean) * 100)];
}

function spectrumLines(path: string, { energy, spread, low, high }: Spectrum): string[] {
  const energies = Array.from(
    { length: SPECTRUM_POINTS },
    (_, index) => low + ((high - low) * index) / (SPECTRUM_POINTS - 1),
  );
  const exponents = energies.map((value) => -0.5 * ((value - energy) / spread) ** 2);
  const largest = Math.max(...exponents);
  return [
    text(`${path}/BeamEnergySpectrumType`, 'Continuous'),
    dimensionedValues(`${path}/BeamEnergySpectrumValues`, energies, 'MeV'),
    unitlessValues(
      `${path}/BeamEnergySpectrumWeights`,
      exponents.map((exponent) => Math.exp(exponent - largest)),
    ),
  ];
}

function spreadLines(path: string, beam: Beam, report: ConversionReport): string[] {
  const { sigma, divergence } = beam;
  const hasAngles = divergence.x > 0 || divergence.y > 0;
  if (hasAngles && sigma.type === 'Gaussian') return emittanceLines(path, beam);
  if (hasAngles && divergence.distanceToFocal !== 0) {
    report.refuse('/beam/divergence/distanceToFocal', 'a focal distance needs a Gaussian beam');
  }
  return [text(`${path}/Type`, 'Beam'), ...positionLines(path, sigma), ...angularLines(path, beam)];
}

function positionLines(path: string, { type, x, y }: Beam['sigma']): string[] {
  const [sizeX, sizeY] = [Math.abs(x), Math.abs(y)];
  if (type === 'Gaussian') {
    if (sizeX === 0 && sizeY === 0) return [text(`${path}/BeamPositionDistribution`, 'None')];
    const [spreadX, spreadY] = [Math.max(sizeX, WIDTH_MIN_CM), Math.max(sizeY, WIDTH_MIN_CM)];
    return [
      ...cutoffLines(path, 'Gaussian', 'Rectangle', spreadX * CUTOFF_SIGMAS, spreadY * CUTOFF_SIGMAS),
      dimensioned(`${path}/BeamPositionSpreadX`, spreadX, 'cm'),
      dimensioned(`${path}/BeamPositionSpreadY`, spreadY, 'cm'),
    ];
  }
  if (type === 'Flat square') {
    if (sizeX === 0 && sizeY === 0) return [text(`${path}/BeamPositionDistribution`, 'None')];
    return cutoffLines(path, 'Flat', 'Rectangle', Math.max(sizeX, WIDTH_MIN_CM), Math.max(sizeY, WIDTH_MIN_CM));
  }
  return sizeY === 0
    ? [text(`${path}/BeamPositionDistribution`, 'None')]
    : cutoffLines(path, 'Flat', 'Ellipse', sizeY, sizeY);
}

function cutoffLines(path: string, distribution: string, shape: string, x: number, y: number): string[] {
  return [
    text(`${path}/BeamPositionDistribution`, distribution),
    text(`${path}/BeamPositionCutoffShape`, shape),
    dimensioned(`${path}/BeamPositionCutoffX`, x, 'cm'),
    dimensioned(`${path}/BeamPositionCutoffY`, y, 'cm'),
  ];
}

function angularLines(path: string, { divergence: { x, y } }: Beam): string[] {
  if (x === 0 && y === 0) return [text(`${path}/BeamAngularDistribution`, 'None')];
  return [
    text(`${path}/BeamAngularDistribution`, 'Gaussian'),
    dimensioned(`${path}/BeamAngularCutoffX`, 90, 'deg'),
    dimensioned(`${path}/BeamAngularCutoffY`, 90, 'deg'),
    dimensioned(`${path}/BeamAngularSpreadX`, Math.max(x * RADIANS_PER_MRAD, OPENING_MIN_RAD), 'rad'),
    dimensioned(`${path}/BeamAngularSpreadY`, Math.max(y * RADIANS_PER_MRAD, OPENING_MIN_RAD), 'rad'),
  ];
}

/**
 * Place and slope of a Gaussian beam as two correlated Gaussians: a particle of slope t starts at s − t·f, s being its
 * place in the focal plane at f.
 */
function emittanceLines(path: string, { divergence, sigma }: Beam): string[] {
  const x = { sizeCm: Math.abs(sigma.x), divergenceRad: divergence.x * RADIANS_PER_MRAD };
  const y = { sizeCm: Math.abs(sigma.y), divergenceRad: divergence.y * RADIANS_PER_MRAD };
  return [
    text(`${path}/Type`, 'Emittance'),
    text(`${path}/Distribution`, 'BiGaussian'),
    ...crossLines(path, 'X', x, divergence.distanceToFocal),
    ...crossLines(path, 'Y', y, divergence.distanceToFocal),
  ];
}

function crossLines(path: string, name: string, { sizeCm, divergenceRad }: CrossAxis, focalCm: number): string[] {
  const width = Math.hypot(sizeCm, divergenceRad * focalCm);
  const covariance = 0 - divergenceRad ** 2 * focalCm;
  return [
    dimensioned(`${path}/Sigma${name}`, width, 'cm'),
    unitless(`${path}/Sigma${name}prime`, divergenceRad),
    unitless(`${path}/Correlation${name}`, width * divergenceRad === 0 ? 0 : covariance / (width * divergenceRad)),
  ];
}
