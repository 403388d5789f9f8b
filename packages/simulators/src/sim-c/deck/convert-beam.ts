import type { Vector } from '@tally/engine';
import { beamAxes } from '../../deck/beam/beam-axes.js';
import { convertBeamEnergy } from '../../deck/beam/beam-energy.js';
import { listBeams } from '../../deck/beam/list-beams.js';
import { readSpecies } from '../../deck/beam/read-species.js';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Beam, BeamShape } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';
import type { Project } from '../../project/project.js';
import { formatNumber } from './format-number.js';
import { findParticleName, isIon } from './particle-name.js';

const RAD_PER_MRAD = 1e-3;
/** Stands in for a particle that has been refused, so that the rest of the beam is still checked. */
const PROTON: Species = { name: 'proton', z: 1, a: 1 };

/**
 * Commands of the general particle source. Positions cm, energies MeV of the whole particle; the spot and the divergence
 * of an oblique beam are turned with it. A spot list becomes a source for each spot, of its intensity.
 */
export function convertBeam(project: Project, report: ConversionReport): string[] {
  const { beam } = project;
  refuseWhatHasNoCommand(beam, report);
  const species = readSpecies(beam.particle, '/beam/particle', report) ?? PROTON;
  const beams = listBeams(beam, species, report);
  const sources = beams.flatMap(({ beam: source, weight }, index) => [
    ...(beams.length === 1 ? [] : [`/gps/source/${index === 0 ? 'intensity' : 'add'} ${formatNumber(weight)}`]),
    ...convertSource(source, species, report),
  ]);
  return ['/gps/verbose 0', ...sources];
}

function convertSource(beam: Beam, species: Species, report: ConversionReport): string[] {
  const energy = convertBeamEnergy(beam, species, 'MeV');
  if (energy.energy < energy.lowCutoff) report.refuse('/beam/energyLowCutoff', 'must not be above the energy');
  if (energy.energy > energy.highCutoff) report.refuse('/beam/energyHighCutoff', 'must not be below the energy');
  const axes = beamAxes(beam.direction);
  return [
    `/gps/position ${formatVector(beam.position)} cm`,
    ...convertParticle(species, report),
    ...convertShape(beam.sigma),
    ...(isAlongZ(beam.direction) ? [] : turnSpot(axes)),
    ...convertDirection(beam, axes),
    '/gps/ene/type Gauss',
    `/gps/ene/mono ${formatNumber(energy.energy)} MeV`,
    `/gps/ene/sigma ${formatNumber(energy.spread)} MeV`,
    ...(energy.highCutoff === Number.POSITIVE_INFINITY ? [] : [`/gps/ene/max ${formatNumber(energy.highCutoff)} MeV`]),
    `/gps/ene/min ${formatNumber(energy.lowCutoff)} MeV`,
  ];
}

function refuseWhatHasNoCommand({ divergence }: Beam, report: ConversionReport): void {
  if ((divergence.x !== 0 || divergence.y !== 0) && divergence.distanceToFocal !== 0) {
    report.refuse('/beam/divergence/distanceToFocal', 'must be 0: a focus away from the start is not supported');
  }
}

function convertParticle(species: Species, report: ConversionReport): string[] {
  const name = findParticleName(species);
  if (name !== undefined) return [`/gps/particle ${name}`];
  if (!isIon(species)) report.refuse('/beam/particle', `a beam of ${species.name} is not supported`);
  return ['/gps/particle ion', `/gps/ion ${species.z} ${species.a} ${species.z} 0`]; // bare: its charge, no excitation
}

/** Flat beams have half-widths and a radius; signs carry no meaning. */
function convertShape({ type, x, y }: BeamShape): string[] {
  const [across, up] = [formatNumber(Math.abs(x)), formatNumber(Math.abs(y))];
  switch (type) {
    case 'Gaussian':
      return [
        '/gps/pos/type Beam',
        ...(x === 0 ? [] : [`/gps/pos/sigma_x ${across} cm`]),
        ...(y === 0 ? [] : [`/gps/pos/sigma_y ${up} cm`]),
      ];
    case 'Flat square':
      return [
        '/gps/pos/type Plane',
        '/gps/pos/shape Rectangle',
        `/gps/pos/halfx ${across} cm`,
        `/gps/pos/halfy ${up} cm`,
      ];
    case 'Flat circular':
      if (y === 0) return ['/gps/pos/type Point'];
      return ['/gps/pos/type Plane', '/gps/pos/shape Circle', `/gps/pos/radius ${up} cm`];
  }
}

/** The plane of the spot, by two directions in it. */
function turnSpot([across, up]: readonly [Vector, Vector, Vector]): string[] {
  return [`/gps/pos/rot1 ${formatVector(across)}`, `/gps/pos/rot2 ${formatVector(up)}`];
}

/** A divergent beam goes along the negative z axis of its own frame, so that its second axis is turned over. */
function convertDirection({ divergence, direction }: Beam, [across, up]: readonly [Vector, Vector, Vector]): string[] {
  if (divergence.x === 0 && divergence.y === 0) return [`/gps/direction ${formatVector(direction)}`];
  const down: Vector = [0 - up[0], 0 - up[1], 0 - up[2]];
  return [
    '/gps/ang/type beam2d',
    `/gps/ang/rot1 ${formatVector(across)}`,
    `/gps/ang/rot2 ${formatVector(down)}`,
    `/gps/ang/sigma_x ${formatNumber(divergence.x * RAD_PER_MRAD)} rad`,
    `/gps/ang/sigma_y ${formatNumber(divergence.y * RAD_PER_MRAD)} rad`,
  ];
}

function isAlongZ([x, y]: Vector): boolean {
  return x === 0 && y === 0;
}

function formatVector(vector: Vector): string {
  return vector.map(formatNumber).join(' ');
}
