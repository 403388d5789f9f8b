/** What a number of a scored quantity means (generalised particle, FLUKA manual; decks.md 10.4). */
export interface ScoredQuantity {
  readonly name: string;
  readonly unit: string;
  /** From the simulator's unit to `unit`. */
  readonly factor: number;
}

const MEV_PER_GEV = 1000;

const PARTICLES: ReadonlyMap<number, string> = new Map([
  [-6, '4-HELIUM'],
  [-5, '3-HELIUM'],
  [-4, 'TRITON'],
  [-3, 'DEUTERON'],
  [-2, 'HEAVYION'],
  [1, 'PROTON'],
  [2, 'APROTON'],
  [3, 'ELECTRON'],
  [4, 'POSITRON'],
  [7, 'PHOTON'],
  [8, 'NEUTRON'],
  [9, 'ANEUTRON'],
  [10, 'MUON+'],
  [11, 'MUON-'],
  [12, 'KAONLONG'],
  [13, 'PION+'],
  [14, 'PION-'],
  [15, 'KAON+'],
  [16, 'KAON-'],
  [23, 'PIZERO'],
  [24, 'KAONZERO'],
  [201, 'ALL-PART'],
  [202, 'ALL-CHAR'],
  [203, 'ALL-NEUT'],
  [249, 'HEHAD-EQ'],
  [250, 'THNEU-EQ'],
]);

const dose = (name: string): ScoredQuantity => ({ name, unit: 'MeV/g', factor: MEV_PER_GEV });
const energy = (name: string): ScoredQuantity => ({ name, unit: 'MeV/cm^3', factor: MEV_PER_GEV });
const counted = (name: string, unit: string): ScoredQuantity => ({ name, unit, factor: 1 });

const QUANTITIES: ReadonlyMap<number, ScoredQuantity> = new Map([
  [208, energy('ENERGY')],
  [211, energy('EM-ENRGY')],
  [219, counted('FISSIONS', 'fissions/cm^3')],
  [220, counted('HE-FISS', 'fissions/cm^3')],
  [221, counted('LE-FISS', 'fissions/cm^3')],
  [222, counted('NEU-BALA', 'neutrons/cm^3')],
  [228, dose('DOSE')],
  [229, energy('UNB-ENER')],
  [230, energy('UNB-EMEN')],
  [231, counted('X-MOMENT', '/cm^2')],
  [232, counted('Y-MOMENT', '/cm^2')],
  [233, counted('Z-MOMENT', '/cm^2')],
  [234, counted('ACTIVITY', 'Bq/cm^3')],
  [235, counted('ACTOMASS', 'Bq/g')],
  [238, energy('NIEL-DEP')],
  [240, counted('DOSE-EQ', 'pSv')],
  [241, dose('DOSE-EM')],
  [242, counted('NET-CHRG', 'C/cm^3')],
  [243, dose('DOSEQLET')],
  [244, energy('RES-NIEL')],
  [252, dose('DOSE-H2O')],
]);

/** Fluence of a particle, or of the one of that number where the list does not name it. */
export function describeQuantity(id: number): ScoredQuantity {
  return QUANTITIES.get(id) ?? counted(`FLUENCE ${PARTICLES.get(id) ?? id}`, '/cm^2');
}
