/** Keywords of `Quantity` lines, as the editor and the simulator spell them. */
export const KEYWORDS = [
  '1MeVNEq',
  'Alanine',
  'AvgBeta',
  'AvgEnergy',
  'Dose',
  'DoseEqv',
  'DDD',
  'DoseGy',
  'dLET',
  'dQ',
  'dQeff',
  'Energy',
  'EqvDose',
  'Fluence',
  'MATERIAL',
  'NEqvDose',
  'NKERMA',
  'ZONE',
  'Rho',
  'tQ',
  'tQeff',
  'tLET',
  'dZ2Beta2',
  'tZ2Beta2',
  'dZeff2Beta2',
  'tZeff2Beta2',
] as const;

/** Media of the neutron kerma, spelt as the simulator does. */
export const KERMA_MEDIA: readonly string[] = ['A150', 'AIR', 'BONE', 'Muscule', 'TE_Methane', 'TE_Propane', 'WATER'];
/** Types of differential axes. */
export const DIFFERENTIAL_TYPES: readonly string[] = [
  'ANGLE',
  'DEDX',
  'E',
  'EAMU',
  'ENUC',
  'MDEDX',
  'TL',
  'Z',
  'Zeff',
  'Z2Beta2',
  'Zeff2Beta2',
];
