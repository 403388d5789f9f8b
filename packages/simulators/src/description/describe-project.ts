import { type Beam, findMaterial, ionisationEv, type TransportProblem, WATER_ICRU } from '@tally/engine';
import type { DepthAxis, ProblemDescription } from '@tally/merge';
import { createConversionReport } from '../deck/conversion-report.js';
import type { Project } from '../project/project.js';
import { convertProblem } from '../reference/convert.js';
import type { SimType } from '../sim-type.js';
import { findFirstMatter } from './first-matter.js';

/** A direction is along an axis if its cosine is no smaller: a degree of tilt makes depths 0.015 % longer. */
const ALONG_COSINE = 0.9998;
/** Digits of energies in words. */
const ENERGY_DIGITS = 6;

/** What a project asks the simulator for, read off its problem. Undefined: it has no geometry that can be read. */
export function describeProject(project: Project, simType: SimType): ProblemDescription | undefined {
  const problem = convertProblem(project, simType, createConversionReport())?.problem;
  return problem && describeProblem(problem, project.beam.sourceFile?.name);
}

/** @param sourceName - of the file with the spots */
function describeProblem(problem: TransportProblem, sourceName: string | undefined): ProblemDescription {
  const { beam } = problem;
  const energies = new Set(beam.spots?.map(({ energyMev }) => energyMev) ?? [beam.energyMev]);
  const described = {
    particle: beam.particle.name,
    kind: kindOf(beam.particle),
    energy_mev: { min: Math.min(...energies), max: Math.max(...energies), count: energies.size },
    spots: beam.spots?.length ?? 0,
  };
  return {
    beam: `${beamWords(described, beam.particle.a, sourceName)}${shapeWords(beam)}`,
    ...described,
    water_ionisation_ev: waterIonisation(problem),
    depth: depthAxisOf(problem),
  };
}

function kindOf({ z, a }: Beam['particle']): ProblemDescription['kind'] {
  if (a > 0) return 'ion';
  return z === 0 ? 'photon' : 'electron';
}

function beamWords(
  { particle, energy_mev: { min, max, count }, spots }: Pick<ProblemDescription, 'particle' | 'energy_mev' | 'spots'>,
  nucleons: number,
  sourceName: string | undefined,
): string {
  const number = (energy: number) => `${Number(energy.toPrecision(ENERGY_DIGITS))}`;
  const range = (factor: number) =>
    count === 1 ? number(max * factor) : `${number(min * factor)}–${number(max * factor)}`;
  const energy = `${range(1)} MeV${nucleons > 1 ? ` (${range(1 / nucleons)} MeV/u)` : ''}`;
  if (spots === 0) return `${particle}, ${energy}`;
  const list = `${spots} ${spots === 1 ? 'spot' : 'spots'}`;
  const source = sourceName ? `, from ${sourceName}` : '';
  return `${particle}, ${list}, ${count === 1 ? '' : `${count} energies `}${energy}${source}`;
}

/** Of a field that is flat: its sizes are no standard deviations. A beam of spots has those of its list. */
function shapeWords({ shape, spots }: Beam): string {
  if (spots !== undefined || shape.type === 'gaussian') return '';
  if (shape.type === 'flat-circular') return `, flat circle of radius ${shape.radiusCm} cm`;
  return `, flat square of half-widths ${shape.halfXCm} × ${shape.halfYCm} cm`;
}

/** Of the water that is simulated, of the first zone's where several differ: as set, by the table that it asks for, or the simulator's own. */
function waterIonisation({ materials, physics }: TransportProblem): number | null {
  const [water, library] = [materials.find(({ icru }) => icru === WATER_ICRU), findMaterial(WATER_ICRU)];
  if (water === undefined || library === undefined) return null;
  return water.ionisationEv ?? ionisationEv(library, water.stoppingPowerTable ?? physics.stoppingPowerTable);
}

function depthAxisOf(problem: TransportProblem): DepthAxis | null {
  const { direction, positionCm } = problem.beam;
  const length = Math.hypot(...direction);
  const index = direction.findIndex((component) => Math.abs(component) >= ALONG_COSINE * length);
  const [axis, component, start] = [(['X', 'Y', 'Z'] as const)[index], direction[index], positionCm[index]];
  if (axis === undefined || component === undefined || start === undefined) return null;
  const way = findFirstMatter(problem);
  const place = way === undefined ? null : start + (way * component) / length;
  return { axis, sign: component > 0 ? 1 : -1, first_matter_cm: place === null ? null : Number(place.toFixed(9)) };
}
