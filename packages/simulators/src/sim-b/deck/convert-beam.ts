import { beamAxes } from '../../deck/beam/beam-axes.js';
import { convertBeamEnergy } from '../../deck/beam/beam-energy.js';
import { readSpecies } from '../../deck/beam/read-species.js';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Beam, BeamShape } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';
import type { Project } from '../../project/project.js';
import { type Field, formatCard } from './card.js';
import { findParticleCode, HEAVY_ION, type ParticleCode } from './particle-name.js';

/** Full width at half maximum of a Gaussian of standard deviation 1: 2·√(2·ln 2). */
const FWHM_PER_SIGMA = 2 * Math.sqrt(2 * Math.log(2));
const MEV_PER_GEV = 1000;
/** How many standard deviations of the energy must lie within the cut-offs, which the simulator does not have. */
const SIGMAS_WITHIN_CUTOFFS = 5;
/** Stands for a width of nothing where 0 means "as in the other direction", cm. */
const NO_WIDTH_CM = 1e-6;

/** Stand in for a particle that has been refused, so that the rest of the beam is still checked. */
const PROTON: Species = { name: 'proton', z: 1, a: 1 };
const UNKNOWN: ParticleCode = { name: '', massGev: 1 };

/**
 * Cards `BEAM`, `HI-PROPE`, `BEAMPOS` and `BEAMAXES`. Energies GeV, of heavy ions per nucleon; widths of Gaussians are
 * full widths at half maximum, flat beams have full widths. An oblique beam with a spot or a divergence gets its own axes:
 * without them the simulator spreads it in the plane of x and y.
 */
export function convertBeam(project: Project, report: ConversionReport): string[] {
  const { beam } = project;
  refuseWhatHasNoCard(beam, report);
  const { species, code } = findParticle(project, report);
  const energy = convertBeamEnergy(beam, species, code.name === HEAVY_ION ? 'MeV/nucl' : 'MeV');
  const margin = SIGMAS_WITHIN_CUTOFFS * energy.spread;
  if (energy.energy - margin < energy.lowCutoff) {
    report.refuse('/beam/energyLowCutoff', `cuts into the beam's energies, which the simulator cannot do`);
  }
  if (energy.energy + margin > energy.highCutoff) {
    report.refuse('/beam/energyHighCutoff', `cuts into the beam's energies, which the simulator cannot do`);
  }
  const [kinetic, spread] = [energy.energy / MEV_PER_GEV, energy.spread / MEV_PER_GEV];
  // Not −0, where a beam has no spread.
  const momentumWidth = spread === 0 ? 0 : -FWHM_PER_SIGMA * momentumSpread(kinetic, spread, code.massGev);
  const divergence = beam.divergence.x === 0 ? 0 : -FWHM_PER_SIGMA * beam.divergence.x;
  return [
    formatCard('BEAM', [-kinetic, momentumWidth, divergence, ...convertShape(beam.sigma)], code.name),
    ...(code.name === HEAVY_ION ? [formatCard('HI-PROPE', [species.z, species.a, 0, 0, 0, 0])] : []),
    ...convertPlace(beam),
  ];
}

function refuseWhatHasNoCard(beam: Beam, report: ConversionReport): void {
  const { divergence, sourceFile } = beam;
  if (beam.sourceType === 'file') {
    report.refuse('/beam/sourceType', `a beam from a source file ("${sourceFile?.name ?? ''}") is not supported`);
  }
  if (divergence.x !== divergence.y) {
    report.refuse('/beam/divergence', 'must be the same in x and y: the simulator has one divergence');
  }
  if ((divergence.x !== 0 || divergence.y !== 0) && divergence.distanceToFocal !== 0) {
    report.refuse('/beam/divergence/distanceToFocal', 'must be 0: a focus away from the start is not supported');
  }
}

function findParticle(project: Project, report: ConversionReport): { species: Species; code: ParticleCode } {
  const species = readSpecies(project.beam.particle, '/beam/particle', report) ?? PROTON;
  const code = findParticleCode(species);
  if (code !== undefined) return { species, code };
  report.refuse('/beam/particle', `a beam of ${species.name} is not supported`);
  return { species, code: UNKNOWN };
}

/** Standard deviation of the momentum, GeV/c, to first order: Δp = ΔE·(E + m)/p. */
function momentumSpread(kinetic: number, spread: number, mass: number): number {
  const momentum = Math.sqrt(kinetic * (kinetic + 2 * mass));
  return (spread * (kinetic + mass)) / momentum;
}

/** WHAT(4) to WHAT(6) of `BEAM`. */
function convertShape({ type, x, y }: BeamShape): readonly Field[] {
  const [across, up] = [Math.abs(x), Math.abs(y)];
  switch (type) {
    case 'Gaussian':
      if (across === 0 && up === 0) return [0, 0, 1];
      return [-FWHM_PER_SIGMA * orTiny(across), -FWHM_PER_SIGMA * orTiny(up), -1];
    case 'Flat square':
      if (across === 0 && up === 0) return [0, 0, 1];
      return [2 * orTiny(across), 2 * orTiny(up), 1];
    case 'Flat circular':
      // A ring, by WHAT(6) < 0; its inner radius must not be 0, which means "as the outer one".
      return up === 0 ? [0, 0, 1] : [up, Math.min(NO_WIDTH_CM, up / 2), -1];
  }
}

function orTiny(width: number): number {
  return width === 0 ? NO_WIDTH_CM : width;
}

function convertPlace(beam: Beam): string[] {
  const [x, y, z] = beam.position;
  const [across, , direction] = beamAxes(beam.direction);
  const isOblique = direction[0] !== 0 || direction[1] !== 0;
  const isPencil = beam.sigma.x === 0 && beam.sigma.y === 0 && beam.divergence.x === 0;
  if (isOblique && !isPencil) {
    return [formatCard('BEAMPOS', [x, y, z, 0, 0, 0]), formatCard('BEAMAXES', [...across, ...direction])];
  }
  const sdum = direction[2] < 0 ? 'NEGATIVE' : '';
  return [formatCard('BEAMPOS', [x, y, z, direction[0], direction[1], 0], sdum)];
}
