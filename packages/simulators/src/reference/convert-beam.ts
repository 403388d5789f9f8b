import type { Beam as EngineBeam, Physics as EnginePhysics } from '@tally/engine';
import type { Beam, BeamShape } from '../project/beam.js';
import { findSpecies, type Species } from '../project/particle.js';
import type { Physics } from '../project/physics.js';
import type { ConversionReport } from './conversion-report.js';

/** Beyond this many standard deviations no energy is drawn often enough to be waited for. */
const CUTOFF_SIGMAS_MAX = 4;

const STRAGGLING = { 'no straggling': 'none', Gaussian: 'gaussian', Vavilov: 'vavilov' } as const;
const SCATTERING = { 'no scattering': 'none', Gaussian: 'gaussian', Moliere: 'moliere' } as const;
const STOPPING_POWER_TABLE = { ICRU49: 'icru49', ICRU91: 'icru90' } as const;

/** Stands in for a particle that has been refused, so that the rest of the beam is still checked. */
const NO_SPECIES: Species = { name: 'unknown', z: 1, a: 1 };

/** The editor's beam with its energies as total kinetic energies, MeV. `simulator` decides what a particle id means. */
export function convertBeam(beam: Beam, simulator: string, report: ConversionReport): EngineBeam {
  report.trace('/beam', '/beam');
  report.trace('/beam/particle', '/beam/particle');
  if (beam.sourceType === 'file') {
    const name = beam.sourceFile?.name ?? '';
    report.refuse('/beam/sourceType', `a beam from a source file ("${name}") is not supported`);
  }
  const species = findSpecies(beam.particle, simulator);
  if (species === undefined) report.refuse('/beam/particle/id', `no particle has the id ${beam.particle.id}`);
  const particle = species ?? NO_SPECIES;
  return {
    particle: { name: particle.name, z: particle.z, a: particle.a },
    positionCm: beam.position,
    direction: beam.direction,
    ...convertEnergies(beam, particle, report),
    shape: convertShape(beam.sigma),
    divergence: {
      xMrad: beam.divergence.x,
      yMrad: beam.divergence.y,
      distanceToFocalCm: beam.divergence.distanceToFocal,
    },
    ...convertSad(beam, report),
  };
}

/** The editor's physics switches, one to one. */
export function convertPhysics(physics: Physics, report: ConversionReport): EnginePhysics {
  report.trace('/physics', '/physic');
  return {
    energyLossFraction: physics.energyLoss,
    straggling: STRAGGLING[physics.energyModelStraggling],
    scattering: SCATTERING[physics.multipleScattering],
    nuclearReactions: physics.enableNuclearReactions,
    stoppingPowerTable: STOPPING_POWER_TABLE[physics.stoppingPowerTable],
  };
}

function convertEnergies(
  beam: Beam,
  particle: Species,
  report: ConversionReport,
): Pick<EngineBeam, 'energyMev' | 'energySpreadMev' | 'energyLowCutoffMev' | 'energyHighCutoffMev'> {
  if (beam.energyUnit === 'MeV/nucl' && particle.a === 0) {
    report.refuse('/beam/energyUnit', `must be "MeV": a ${particle.name} has no nucleons`);
  }
  const { energy, energySpread: sigma, energyLowCutoff: low, energyHighCutoff: high } = beam;
  if (low >= high) {
    report.refuse('/beam/energyHighCutoff', `must be larger than energyLowCutoff (${low})`);
  } else if (energy + CUTOFF_SIGMAS_MAX * sigma < low || energy - CUTOFF_SIGMAS_MAX * sigma > high) {
    const range = `energyLowCutoff (${low}) to energyHighCutoff (${high})`;
    report.refuse('/beam/energy', `must lie within ${CUTOFF_SIGMAS_MAX} energySpread of ${range}`);
  }
  const factor = beam.energyUnit === 'MeV/nucl' ? particle.a : 1;
  return {
    energyMev: energy * factor,
    energySpreadMev: sigma * factor,
    energyLowCutoffMev: low * factor,
    energyHighCutoffMev: high * factor,
  };
}

/** Sizes of flat beams are half-widths and a radius; signs carry no meaning. */
function convertShape(sigma: BeamShape): EngineBeam['shape'] {
  const x = Math.abs(sigma.x);
  const y = Math.abs(sigma.y);
  switch (sigma.type) {
    case 'Gaussian':
      return { type: 'gaussian', sigmaXCm: x, sigmaYCm: y };
    case 'Flat square':
      return { type: 'flat-square', halfXCm: x, halfYCm: y };
    case 'Flat circular':
      return { type: 'flat-circular', radiusCm: y };
  }
}

function convertSad(beam: Beam, report: ConversionReport): Pick<EngineBeam, 'sad'> {
  const { type, x, y } = beam.sad;
  if (type === 'none') return {};
  const sad = { xCm: x, yCm: type === 'single' ? x : y };
  for (const [key, distance] of [['x', sad.xCm] as const, ['y', sad.yCm] as const]) {
    if (distance <= 0) report.refuse(`/beam/sad/${type === 'single' ? 'x' : key}`, 'must be more than 0');
    if (type === 'single') break;
  }
  return { sad };
}
