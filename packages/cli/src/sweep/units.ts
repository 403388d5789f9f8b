const LENGTH = /(?:^|\.)(?:width|height|depth|radius|innerRadius|position\.\d|sigma\.[xy]|distanceToFocal)$/;
const ENERGY = /^beam\.energy(?:Spread|LowCutoff|HighCutoff)?$/;

/** Unit of a place of a project, as the editor has it; empty: it has none, or it is not known. */
export function unitOfPlace(place: string, project: Readonly<Record<string, unknown>>): string {
  const { beam } = project;
  const unit: unknown = typeof beam === 'object' && beam !== null ? Reflect.get(beam, 'energyUnit') : undefined;
  if (ENERGY.test(place)) return typeof unit === 'string' ? unit : 'MeV';
  if (/^beam\.divergence\.[xy]$/.test(place)) return 'mrad';
  if (/(?:^|\.)density$/.test(place)) return 'g/cm³';
  return LENGTH.test(place) ? 'cm' : '';
}
