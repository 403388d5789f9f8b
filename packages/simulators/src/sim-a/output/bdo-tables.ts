import type { PageKind } from '@tally/merge';

/** Detector types by number (tags 0xDD30 and 0xDDD1), separated by blanks. */
const DETECTOR_TYPES = `none energy fluence crossflu letflu dose dlet tlet avg_energy avg_beta spc material ddd alanine
counter pet dletg tletg zone medium rho q flu_char flu_neut flu_neqv angle trace kinetic_energy energy_nuc energy_amu a
amass amu gen id dedx mass_dedx track_length nkerma dose_gy dose_eqv eqv_dose user1 user2 n_eqv_dose z2beta2
dose_av_z2beta2 track_av_z2beta2 dose_av_q track_av_q z zeff zeff2beta2 tzeff2beta2 dzeff2beta2 count norm_count_point
count_point moca_yf moca_yd q_eff dq_eff tq_eff mcpl dirtydose dirtydosegy davge dbeta`.split(/\s+/);

export const PHASE_SPACE_TYPE = 63;

/** Numbers of a particle in phase space: PDG code, x, y, z in cm, direction cosines ux, uy, uz, energy in MeV. */
export const PHASE_SPACE_COLUMNS = 8;

/** Properties of the geometry. */
const MAPS = ['material', 'zone', 'medium', 'rho'];
/** Counts that are not divided by primaries. */
const COUNTS = ['count', 'count_point'];
/** Means over what was scored. */
const AVERAGES = `letflu dlet tlet avg_energy avg_beta dletg tletg q dose_av_z2beta2 track_av_z2beta2 dose_av_q
track_av_q tzeff2beta2 dzeff2beta2 moca_yf moca_yd q_eff dq_eff tq_eff davge dbeta`.split(/\s+/);

/** `DOSE-GY`; undefined for a type that is newer than the list. */
export function nameDetectorType(type: number): string | undefined {
  return DETECTOR_TYPES[type]?.toUpperCase().replaceAll('_', '-');
}

/** How pages of a detector type combine where the file does not say it. */
export function kindOfDetectorType(type: number): PageKind {
  const name = DETECTOR_TYPES[type] ?? '';
  if (MAPS.includes(name)) return 'map';
  if (COUNTS.includes(name)) return 'counter';
  return AVERAGES.includes(name) ? 'average' : 'linear';
}

/** How pages of a normalisation class combine (tag 0xDD32). */
export const NORMALISATION_KINDS: readonly (PageKind | undefined)[] = ['map', 'counter', 'linear', 'average', 'list'];

/** Units by number (tags 0xE00A and 0xDD37). */
const UNITS: ReadonlyMap<number, string> = new Map([
  [0, '1'],
  [1, 'a.u.'],
  [2, '%'],
  [3, 'per mille'],
  [4, '1'],
  [10, 'cm'],
  [11, 'cm^2'],
  [12, 'cm^3'],
  [13, '/cm'],
  [14, '/cm^2'],
  [15, '/cm^3'],
  [16, 'm'],
  [17, 'm^2'],
  [18, 'm^3'],
  [19, '/m'],
  [20, '/m^2'],
  [21, '/m^3'],
  [22, 'g/cm^3'],
  [23, 'kg/m^3'],
  [30, 'keV/um'],
  [31, 'MeV/cm'],
  [32, 'MeV cm^2/g'],
  [40, 'MeV/g'],
  [41, 'Gy'],
  [42, 'Gy(RBE)'],
  [43, 'Gy(RE)'],
  [44, 'Sv'],
  [45, 'Rad'],
  [46, 'Rem'],
  [50, 'deg'],
  [51, 'rad'],
  [52, 'sr'],
  [60, '#'],
  [70, 'MeV'],
  [71, 'MeV/nucl'],
  [72, 'MeV/amu'],
  [80, 'nucleons'],
  [81, 'MeV/c^2'],
  [82, 'u'],
  [90, 'material id'],
  [91, 'zone'],
]);

/** Numbers that stand for no unit. */
const NO_UNIT = [-2, -1];

/** `1` for a number; undefined for a unit that is newer than the list. */
export function nameUnit(unit: number): string | undefined {
  return NO_UNIT.includes(unit) ? '1' : UNITS.get(unit);
}

/** Differential axes by detector type: the editor's names, and their units. */
const AXES: ReadonlyMap<number, readonly [name: string, unit: string]> = new Map([
  [25, ['ANGLE', 'deg']],
  [27, ['E', 'MeV']],
  [28, ['ENUC', 'MeV/nucl']],
  [29, ['EAMU', 'MeV/amu']],
  [35, ['DEDX', 'MeV/cm']],
  [36, ['MDEDX', 'MeV cm^2/g']],
  [37, ['TL', 'cm']],
  [45, ['Z2Beta2', '1']],
  [50, ['Z', '1']],
  [51, ['Zeff', '1']],
  [52, ['Zeff2Beta2', '1']],
]);

/** Name and unit of a differential axis of that detector type; undefined for a type that is none. */
export function describeAxis(type: number): readonly [name: string, unit: string] | undefined {
  return AXES.get(type);
}

/** Name of the one axis that has this unit; undefined where none or several have it. */
export function nameAxisByUnit(unit: string): string | undefined {
  const [found, ...others] = [...AXES.values()].filter(([, own]) => own === unit);
  return others.length > 0 ? undefined : found?.[0];
}

/** Other spellings of units in texts of files. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['', '1'],
  ['MeV/nucleon', 'MeV/nucl'],
  ['MeV/u', 'MeV/amu'],
  ['degrees', 'deg'],
  ['MeV*cm^2/g', 'MeV cm^2/g'],
]);

/** A unit as files give it in text. */
export function readUnit(text: string): string {
  const unit = text.trim();
  return SPELLINGS.get(unit) ?? unit;
}
