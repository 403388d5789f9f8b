import type { Species } from '../../project/particle.js';

/** A particle as the simulator knows it. */
export interface ParticleCode {
  /** Its name; `HEAVYION` is any nucleus that has none, and needs charge and mass beside it. */
  readonly name: string;
  /** Rest energy, GeV; of a heavy ion per nucleon (CODATA 2018, PDG 2022; nuclei without their electrons). */
  readonly massGev: number;
}

export const HEAVY_ION = 'HEAVYION';
/** Atomic mass unit, GeV (CODATA 2018). */
const ATOMIC_MASS_GEV = 0.931_494_102;

/** Nuclei and nucleons, by charge and mass number. */
const NUCLEI: Readonly<Record<string, ParticleCode>> = {
  '0/1': { name: 'NEUTRON', massGev: 0.939_565_42 },
  '1/1': { name: 'PROTON', massGev: 0.938_272_088 },
  '-1/1': { name: 'APROTON', massGev: 0.938_272_088 },
  '1/2': { name: 'DEUTERON', massGev: 1.875_612_943 },
  '1/3': { name: 'TRITON', massGev: 2.808_921_133 },
  '2/3': { name: '3-HELIUM', massGev: 2.808_391_607 },
  '2/4': { name: '4-HELIUM', massGev: 3.727_379_407 },
};

/** What has no mass number, by the name of its species. */
const OTHERS: Readonly<Record<string, ParticleCode>> = {
  'negative pion': { name: 'PION-', massGev: 0.139_570_39 },
  'positive pion': { name: 'PION+', massGev: 0.139_570_39 },
  'neutral pion': { name: 'PIZERO', massGev: 0.134_976_8 },
  'negative kaon': { name: 'KAON-', massGev: 0.493_677 },
  'positive kaon': { name: 'KAON+', massGev: 0.493_677 },
  'neutral kaon': { name: 'KAONZERO', massGev: 0.497_611 },
  'long-lived neutral kaon': { name: 'KAONLONG', massGev: 0.497_611 },
  'negative muon': { name: 'MUON-', massGev: 0.105_658_375_5 },
  'positive muon': { name: 'MUON+', massGev: 0.105_658_375_5 },
  electron: { name: 'ELECTRON', massGev: 0.000_510_998_95 },
  positron: { name: 'POSITRON', massGev: 0.000_510_998_95 },
  photon: { name: 'PHOTON', massGev: 0 },
};

/** @returns `undefined` for what the simulator has no name for: no nucleus, and none of its other particles */
export function findParticleCode({ name, z, a }: Species): ParticleCode | undefined {
  if (a === 0) return OTHERS[name];
  const isNucleus = z >= 1 && z <= a;
  return NUCLEI[`${z}/${a}`] ?? (isNucleus ? { name: HEAVY_ION, massGev: ATOMIC_MASS_GEV } : undefined);
}
