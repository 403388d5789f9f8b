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

/** `DOSE-GY`; the number itself for types that are newer than the list. */
export function nameDetectorType(type: number): string {
  return (DETECTOR_TYPES[type] ?? `type_${type}`).toUpperCase().replaceAll('_', '-');
}

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

export function nameUnit(unit: number | undefined): string {
  return UNITS.get(unit ?? 0) ?? '1';
}

/** The editor's names of differential axes, by detector type. */
const AXIS_NAMES: ReadonlyMap<number, string> = new Map([
  [25, 'ANGLE'],
  [27, 'E'],
  [28, 'ENUC'],
  [29, 'EAMU'],
  [35, 'DEDX'],
  [36, 'MDEDX'],
  [37, 'TL'],
  [45, 'Z2Beta2'],
  [50, 'Z'],
  [51, 'Zeff'],
  [52, 'Zeff2Beta2'],
]);

export function nameAxis(type: number): string {
  return AXIS_NAMES.get(type) ?? nameDetectorType(type);
}

/** How pages of a normalisation class combine (tag 0xDD32); 4, concatenation, is phase space alone. */
export const NORMALISATION_KINDS: readonly (PageKind | undefined)[] = ['map', 'counter', 'linear', 'average', 'list'];
