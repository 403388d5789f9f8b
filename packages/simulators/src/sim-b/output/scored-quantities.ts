/** What a number of a scored quantity means (generalised particle, FLUKA manual; decks.md 10.4). */
export interface ScoredQuantity {
  readonly name: string;
  readonly unit: string;
  /** From the simulator's unit to `unit`. */
  readonly factor: number;
  /** It is a particle or family of particles: what is scored of it is said by the estimator. */
  readonly isParticle: boolean;
  /** Otherwise its name is its number. */
  readonly isKnown: boolean;
}

const MEV_PER_GEV = 1000;
const FAMILIES_START = 201;
const CHARMED_START = 41;

const LIGHT_NUCLEI = ['HEAVYION', 'DEUTERON', 'TRITON', '3-HELIUM', '4-HELIUM'];
/** From 0 on; where a number stands for nothing that is scored, nothing. */
const PARTICLES = `RAY PROTON APROTON ELECTRON POSITRON NEUTRIE ANEUTRIE PHOTON NEUTRON ANEUTRON MUON+ MUON- KAONLONG PION+ PION-
  KAON+ KAON- LAMBDA ALAMBDA KAONSHRT SIGMA- SIGMA+ SIGMAZER PIZERO KAONZERO AKAONZER _ NEUTRIM ANEUTRIM _ _
  ASIGMA- ASIGMAZE ASIGMA+ XSIZERO AXSIZERO XSI- AXSI+ OMEGA- AOMEGA+`;
const HEAVY_PARTICLES = `TAU+ TAU- NEUTRIT ANEUTRIT D+ D- D0 D0BAR DS+ DS- LAMBDAC+ XSIC+ XSIC0 XSIPC+ XSIPC0 OMEGAC0 ALAMBDC- AXSIC-
  AXSIC0`;
const FAMILIES = `ALL-PART ALL-CHAR ALL-NEUT ALL-NEGA ALL-POSI NUCLEONS NUC&PI+- _ PIONS+- BEAMPART _ MUONS E+&E- AP&AN KAONS
  STRANGE KAONS+- HAD-CHAR _ _ _ _ HAD-NEUT KAONS0 C-MESONS C-(A)BAR CHARMED`;

const numbered = (names: string, start: number): [number, string][] =>
  names.split(/\s+/).flatMap((name, index): [number, string][] => (name === '_' ? [] : [[start + index, name]]));

const PARTICLE_NAMES: ReadonlyMap<number, string> = new Map([
  ...LIGHT_NUCLEI.map((name, index): [number, string] => [-2 - index, name]),
  [-1, 'OPTIPHOT'],
  ...numbered(PARTICLES, 0),
  ...numbered(HEAVY_PARTICLES, CHARMED_START),
  ...numbered(FAMILIES, FAMILIES_START),
  [236, 'SI1MEVNE'],
  [237, 'HADGT20M'],
  [248, 'ALL-IONS'],
  [249, 'HEHAD-EQ'],
  [250, 'THNEU-EQ'],
  [255, 'LGH-IONS'],
  [256, 'HVY-IONS'],
  [257, 'E+E-GAMM'],
]);

const quantity = (name: string, unit: string, factor = 1): ScoredQuantity => ({
  name,
  unit,
  factor,
  isParticle: false,
  isKnown: true,
});
const dose = (name: string): ScoredQuantity => quantity(name, 'MeV/g', MEV_PER_GEV);
const energy = (name: string): ScoredQuantity => quantity(name, 'MeV/cm^3', MEV_PER_GEV);

const QUANTITIES: ReadonlyMap<number, ScoredQuantity> = new Map([
  [208, energy('ENERGY')],
  [211, energy('EM-ENRGY')],
  [219, quantity('FISSIONS', 'fissions/cm^3')],
  [220, quantity('HE-FISS', 'fissions/cm^3')],
  [221, quantity('LE-FISS', 'fissions/cm^3')],
  [222, quantity('NEU-BALA', 'neutrons/cm^3')],
  [228, dose('DOSE')],
  [229, energy('UNB-ENER')],
  [230, energy('UNB-EMEN')],
  [231, quantity('X-MOMENT', '/cm^2')],
  [232, quantity('Y-MOMENT', '/cm^2')],
  [233, quantity('Z-MOMENT', '/cm^2')],
  [234, quantity('ACTIVITY', 'Bq/cm^3')],
  [235, quantity('ACTOMASS', 'Bq/g')],
  [238, energy('NIEL-DEP')],
  [239, quantity('DPA-SCO', 'dpa')],
  [240, quantity('DOSE-EQ', 'pSv')],
  [241, dose('DOSE-EM')],
  [242, quantity('NET-CHRG', 'C/cm^3')],
  [243, dose('DOSEQLET')],
  [244, energy('RES-NIEL')],
  [251, quantity('RES-NUCL', 'nuclei/cm^3')],
  [252, dose('DOSE-H2O')],
  [258, quantity('ANNIHRST', 'annihilations/cm^3')],
]);

/** Fluence of a particle unless the estimator says otherwise; what the lists do not name is taken for a particle. */
export function describeQuantity(id: number): ScoredQuantity {
  const known = PARTICLE_NAMES.get(id);
  const particle = { name: known ?? `${id}`, unit: '/cm^2', factor: 1, isParticle: true, isKnown: known !== undefined };
  return QUANTITIES.get(id) ?? particle;
}
