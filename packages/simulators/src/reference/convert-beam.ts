import type { Beam as EngineBeam, Physics as EnginePhysics } from '@tally/engine';
import { readSpotList, type SpotList } from '../deck/beam/read-spot-list.js';
import type { ConversionReport } from '../deck/conversion-report.js';
import type { Beam, BeamShape } from '../project/beam.js';
import { findSpecies, type Species } from '../project/particle.js';
import type { Physics } from '../project/physics.js';

/** Largest fraction of its energy that the engine lets a particle lose in one step. */
const ENERGY_LOSS_MAX = 0.5;

const STRAGGLING = { 'no straggling': 'none', Gaussian: 'gaussian', Vavilov: 'vavilov' } as const;
const SCATTERING = { 'no scattering': 'none', Gaussian: 'gaussian', Moliere: 'moliere' } as const;
const STOPPING_POWER_TABLE = { ICRU49: 'icru49', ICRU91: 'icru90' } as const;

/** Stands in for a particle that has been refused, so that the rest of the beam is still checked. */
const NO_SPECIES: Species = { name: 'unknown', z: 1, a: 1 };

/** The editor's beam with its energies as total kinetic energies, MeV. `simulator` decides what a particle id means. */
export function convertBeam(beam: Beam, simulator: string, report: ConversionReport): EngineBeam {
  for (const path of ['/beam', '/beam/particle', '/beam/direction']) report.trace(path, path);
  const species = findSpecies(beam.particle, simulator);
  if (species === undefined) report.refuse('/beam/particle/id', `no particle has the id ${beam.particle.id}`);
  const particle = species ?? NO_SPECIES;
  const energies = convertEnergies(beam, particle, report);
  const list = readSpotList(beam, particle, energies.energySpreadMev, report);
  if (list !== undefined) report.trace('/beam/spots', '/beam/sourceFile/value');
  return {
    particle: { name: particle.name, z: particle.z, a: particle.a },
    positionCm: beam.position,
    direction: beam.direction,
    ...energies,
    shape: convertShape(beam.sigma),
    divergence: {
      xMrad: beam.divergence.x,
      yMrad: beam.divergence.y,
      distanceToFocalCm: beam.divergence.distanceToFocal,
    },
    ...(list === undefined ? convertSad(beam, report) : describeSpots(list)),
  };
}

function describeSpots({ spots, sourceCm }: SpotList): Pick<EngineBeam, 'spots' | 'sad'> {
  return { spots, ...(sourceCm === undefined ? {} : { sad: { xCm: sourceCm.x, yCm: sourceCm.y } }) };
}

/** The editor's physics switches, one to one. */
export function convertPhysics(physics: Physics, report: ConversionReport): EnginePhysics {
  if (physics.energyLoss > ENERGY_LOSS_MAX) {
    report.refuse('/physic/energyLoss', `must be at most ${ENERGY_LOSS_MAX}: steps would be too long`);
  }
  return {
    energyLossFraction: Math.min(physics.energyLoss, ENERGY_LOSS_MAX),
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
  for (const key of ['energy', 'energySpread', 'energyLowCutoff', 'energyHighCutoff'] as const) {
    report.trace(`/beam/${key}Mev`, `/beam/${key}`);
  }
  const factor = beam.energyUnit === 'MeV/nucl' ? particle.a : 1;
  return {
    energyMev: beam.energy * factor,
    energySpreadMev: beam.energySpread * factor,
    energyLowCutoffMev: beam.energyLowCutoff * factor,
    energyHighCutoffMev: beam.energyHighCutoff * factor,
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
  if (sad.xCm <= 0) report.refuse('/beam/sad/x', 'must be more than 0');
  if (sad.yCm <= 0 && type === 'double') report.refuse('/beam/sad/y', 'must be more than 0');
  if (sad.xCm <= 0 || sad.yCm <= 0) return {};
  return { sad };
}
