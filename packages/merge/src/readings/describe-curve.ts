import type { ProblemDescription } from './problem-description.js';
import { CENTIMETERS, type CurveDescription, type CurveKind } from './readings.js';

/** A page of one axis, by its words. */
export interface CurveWords {
  /** Of the page. */
  readonly name: string;
  /** Of its values. */
  readonly unit: string;
  readonly axis: { readonly name: string; readonly unit: string };
}

/** Dose and deposited energy, per primary or in all, as this service writes units. */
const DOSE_UNIT = /^(MeV\/g|[mcknµu]?Gy|MeV\/prim|MeV\/cm\^?3)/;
const FLUENCE_UNIT = /cm\^?2/;
/** Energy that neutrons give to charged particles falls nowhere at a range. */
const KERMA = /kerma/i;

/**
 * Describes a curve by the words of its page, and by what was simulated. Where that is not known, depth is the axis Z, the beam is one of
 * ions, and depths are coordinates.
 */
export function describeCurve(
  { name, unit, axis }: CurveWords,
  problem: Partial<ProblemDescription>,
): CurveDescription {
  const { kind: particle = 'ion', depth } = problem;
  const kind = kindOf(name, unit, axis, depth === undefined ? 'Z' : depth?.axis);
  if (kind !== 'depth' || !depth) return { kind, particle, unit: axis.unit };
  const first = depth.first_matter_cm;
  const firstMatter = first === null ? undefined : first / (CENTIMETERS[axis.unit] ?? 1);
  return { kind, particle, unit: axis.unit, firstMatter, isReversed: depth.sign === -1 };
}

/** @param depthAxis - undefined: the beam goes along none */
function kindOf(name: string, unit: string, axis: CurveWords['axis'], depthAxis: string | undefined): CurveKind {
  const isDose = DOSE_UNIT.test(unit) && !KERMA.test(name);
  if (CENTIMETERS[axis.unit] === undefined) return FLUENCE_UNIT.test(unit) && axis.unit !== '' ? 'spectrum' : 'none';
  const isDepth = /^depth/i.test(axis.name) || axis.name.slice(0, 1).toUpperCase() === depthAxis;
  if (isDepth) return isDose ? 'depth' : 'none';
  return isDose || FLUENCE_UNIT.test(unit) ? 'profile' : 'none';
}
