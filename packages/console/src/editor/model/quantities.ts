/** A quantity that can be scored, in words. */
export interface QuantityChoice {
  readonly keyword: string;
  readonly label: string;
  readonly unit: string;
  readonly about: string;
}

/** By the keywords of the field's editor; which of them a simulator scores, the checks say. */
export const QUANTITIES: readonly QuantityChoice[] = [
  { keyword: 'Dose', label: 'Dose', unit: 'MeV/g', about: 'Energy deposited per mass, per primary' },
  { keyword: 'DoseGy', label: 'Dose in gray', unit: 'Gy', about: 'The same in Gy per primary' },
  { keyword: 'Energy', label: 'Deposited energy', unit: 'MeV', about: 'Energy left in each bin, per primary' },
  { keyword: 'Fluence', label: 'Fluence', unit: '1/cm²', about: 'Path length per volume, per primary' },
  {
    keyword: 'KineticEnergySpectrum',
    label: 'Energy spectrum',
    unit: '1/cm²/MeV',
    about: 'Fluence differential in energy; give it an energy axis',
  },
  { keyword: 'dLET', label: 'LET, dose-averaged', unit: 'MeV/cm', about: 'Linear energy transfer, weighted by dose' },
  {
    keyword: 'tLET',
    label: 'LET, track-averaged',
    unit: 'MeV/cm',
    about: 'Linear energy transfer, weighted by fluence',
  },
  {
    keyword: 'AvgEnergy',
    label: 'Mean energy',
    unit: 'MeV/nucl',
    about: 'Kinetic energy per nucleon, weighted by fluence',
  },
  { keyword: 'AvgBeta', label: 'Mean β', unit: '', about: 'Speed over that of light, weighted by fluence' },
  { keyword: 'dZ2Beta2', label: 'z²/β², dose-averaged', unit: '', about: 'With the charge of the nucleus' },
  { keyword: 'tZ2Beta2', label: 'z²/β², track-averaged', unit: '', about: 'With the charge of the nucleus' },
  { keyword: 'dZeff2Beta2', label: 'Q: z*²/β², dose-averaged', unit: '', about: 'With the effective charge' },
  { keyword: 'tZeff2Beta2', label: 'Q: z*²/β², track-averaged', unit: '', about: 'With the effective charge' },
  { keyword: 'NKERMA', label: 'Neutron kerma', unit: 'MeV/g', about: 'Energy that neutrons transfer per mass' },
  { keyword: 'ZONE', label: 'Map of zones', unit: '', about: 'Number of the zone at the middle of each bin' },
  { keyword: 'MATERIAL', label: 'Map of materials', unit: '', about: 'ICRU id at the middle of each bin' },
  { keyword: 'Rho', label: 'Map of densities', unit: 'g/cm³', about: 'At the middle of each bin' },
  { keyword: 'DDD', label: 'Depth dose of a plan', unit: 'MeV/g', about: 'Dose as treatment planning systems take it' },
  { keyword: 'DoseEqv', label: 'Dose equivalent', unit: 'Sv', about: 'Dose times quality factor' },
  { keyword: 'EqvDose', label: 'Equivalent dose', unit: 'Sv', about: 'Dose times radiation weighting factor' },
  { keyword: 'dQ', label: 'Quality factor, dose-averaged', unit: '', about: 'Of ICRP 60' },
  { keyword: 'tQ', label: 'Quality factor, track-averaged', unit: '', about: 'Of ICRP 60' },
  { keyword: 'dQeff', label: 'Effective quality factor, dose-averaged', unit: '', about: '' },
  { keyword: 'tQeff', label: 'Effective quality factor, track-averaged', unit: '', about: '' },
  {
    keyword: '1MeVNEq',
    label: '1 MeV neutron equivalent fluence',
    unit: '1/cm²',
    about: 'Displacement damage in silicon',
  },
  { keyword: 'NEqvDose', label: 'Neutron equivalent dose', unit: 'Sv', about: '' },
  { keyword: 'Alanine', label: 'Response of alanine', unit: 'MeV/g', about: '' },
];

/** Differential axes, with the unit of their ends and ends to begin with. */
export const AXES = [
  { type: 'E', label: 'Energy', unit: 'MeV', lower: 0, upper: 200 },
  { type: 'ENUC', label: 'Energy per nucleon', unit: 'MeV/nucl', lower: 0, upper: 400 },
  { type: 'EAMU', label: 'Energy per mass', unit: 'MeV/amu', lower: 0, upper: 400 },
  { type: 'ANGLE', label: 'Angle to the z axis', unit: 'deg', lower: 0, upper: 90 },
  { type: 'DEDX', label: 'LET', unit: 'MeV/cm', lower: 0, upper: 500 },
  { type: 'MDEDX', label: 'Mass stopping power', unit: 'MeV cm²/g', lower: 0, upper: 500 },
  { type: 'Z', label: 'Charge number', unit: '', lower: 0, upper: 10 },
  { type: 'Zeff', label: 'Effective charge', unit: '', lower: 0, upper: 10 },
  { type: 'Z2Beta2', label: 'z²/β²', unit: '', lower: 1, upper: 1000 },
  { type: 'Zeff2Beta2', label: 'z*²/β²', unit: '', lower: 1, upper: 1000 },
  { type: 'TL', label: 'Track length', unit: 'cm', lower: 0, upper: 30 },
] as const;
