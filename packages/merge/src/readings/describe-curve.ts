import type { CurveDescription, CurveKind } from './readings.js';

/** A page of one axis, by its words. */
export interface CurveWords {
  /** Of the page. */
  readonly name: string;
  /** Of its values. */
  readonly unit: string;
  readonly axis: { readonly name: string; readonly unit: string };
}

const LENGTHS = ['um', 'mm', 'cm', 'm'];
/** Dose and deposited energy, per primary or in all, as this service writes units. */
const DOSE_UNIT = /^(MeV\/g|[mcknµu]?Gy|MeV\/prim|MeV\/cm\^?3)/;
const FLUENCE_UNIT = /cm\^?2/;
/** Energy that neutrons give to charged particles falls nowhere at a range. */
const KERMA = /kerma/i;

/**
 * Describes a curve by the words of its page, where nothing else is known of the problem: depth is the axis Z, the beam is one of ions, and
 * depths are coordinates.
 */
export function describeCurve({ name, unit, axis }: CurveWords): CurveDescription {
  return { kind: kindOf(name, unit, axis), particle: 'ion', unit: axis.unit };
}

function kindOf(name: string, unit: string, axis: CurveWords['axis']): CurveKind {
  const isDose = DOSE_UNIT.test(unit) && !KERMA.test(name);
  if (!LENGTHS.includes(axis.unit)) return FLUENCE_UNIT.test(unit) && axis.unit !== '' ? 'spectrum' : 'none';
  if (/^(z|depth)/i.test(axis.name)) return isDose ? 'depth' : 'none';
  return isDose || FLUENCE_UNIT.test(unit) ? 'profile' : 'none';
}
