import type { Beam as EngineBeam, Physics as EnginePhysics } from '@tally/engine';
import { convertBeamEnergy } from '../deck/beam/beam-energy.js';
import { readSpecies } from '../deck/beam/read-species.js';
import { readSpotList, type SpotList } from '../deck/beam/read-spot-list.js';
import type { ConversionReport } from '../deck/conversion-report.js';
import { OWN_TABLE } from '../deck/stopping-powers.js';
import type { Beam, BeamShape } from '../project/beam.js';
import type { Species } from '../project/particle.js';
import type { Physics } from '../project/physics.js';
import type { SimType } from '../sim-type.js';

/** Largest fraction of its energy that the engine lets a particle lose in one step. */
const ENERGY_LOSS_MAX = 0.5;

const STRAGGLING = { 'no straggling': 'none', Gaussian: 'gaussian', Vavilov: 'vavilov' } as const;
const SCATTERING = { 'no scattering': 'none', Gaussian: 'gaussian', Moliere: 'moliere' } as const;

/** Above everything that the engine transports. */
const NO_CUTOFF_MEV = 1e9;

/** Stands in for a particle that has been refused, so that the rest of the beam is still checked. */
const NO_SPECIES: Species = { name: 'unknown', z: 1, a: 1 };

/** The editor's beam with its energies as total kinetic energies, MeV. */
export function convertBeam(beam: Beam, report: ConversionReport): EngineBeam {
  for (const path of ['/beam', '/beam/particle', '/beam/direction']) report.trace(path, path);
  const particle = readSpecies(beam.particle, '/beam/particle', report) ?? NO_SPECIES;
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
    ...(list === undefined ? {} : describeSpots(list)),
  };
}

function describeSpots({ spots, sourceCm }: SpotList): Pick<EngineBeam, 'spots' | 'sad'> {
  return { spots, ...(sourceCm === undefined ? {} : { sad: { xCm: sourceCm.x, yCm: sourceCm.y } }) };
}

/** The editor's physics switches, one to one. Materials that ask for no stopping powers have those of the simulator `simType`. */
export function convertPhysics(physics: Physics, simType: SimType, report: ConversionReport): EnginePhysics {
  if (physics.energyLoss > ENERGY_LOSS_MAX) {
    report.refuse('/physic/energyLoss', `must be at most ${ENERGY_LOSS_MAX}: steps would be too long`);
  }
  return {
    energyLossFraction: Math.min(physics.energyLoss, ENERGY_LOSS_MAX),
    straggling: STRAGGLING[physics.energyModelStraggling],
    scattering: SCATTERING[physics.multipleScattering],
    nuclearReactions: physics.enableNuclearReactions,
    stoppingPowerTable: OWN_TABLE[simType],
  };
}

function convertEnergies(
  beam: Beam,
  particle: Species,
  report: ConversionReport,
): Pick<EngineBeam, 'energyMev' | 'energySpreadMev' | 'energyLowCutoffMev' | 'energyHighCutoffMev'> {
  for (const key of ['energy', 'energySpread', 'energyLowCutoff', 'energyHighCutoff'] as const) {
    report.trace(`/beam/${key}Mev`, `/beam/${key}`);
  }
  const { energy, spread, lowCutoff, highCutoff } = convertBeamEnergy(beam, particle, 'MeV');
  return {
    energyMev: energy,
    energySpreadMev: spread,
    energyLowCutoffMev: lowCutoff,
    energyHighCutoffMev: Math.min(highCutoff, NO_CUTOFF_MEV),
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
