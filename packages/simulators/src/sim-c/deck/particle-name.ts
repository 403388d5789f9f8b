import type { Species } from '../../project/particle.js';

/** Nuclei and nucleons that have names, by charge and mass number. */
const NUCLEI: Readonly<Record<string, string>> = {
  '0/1': 'neutron',
  '1/1': 'proton',
  '-1/1': 'anti_proton',
  '1/2': 'deuteron',
  '1/3': 'triton',
  '2/3': 'He3',
  '2/4': 'alpha',
};

/** What has no mass number, by the name of its species. */
const OTHERS: Readonly<Record<string, string>> = {
  'negative pion': 'pi-',
  'positive pion': 'pi+',
  'neutral pion': 'pi0',
  'negative kaon': 'kaon-',
  'positive kaon': 'kaon+',
  'neutral kaon': 'kaon0',
  'long-lived neutral kaon': 'kaon0L',
  'negative muon': 'mu-',
  'positive muon': 'mu+',
  electron: 'e-',
  positron: 'e+',
  photon: 'gamma',
};

/** The simulator's name of a particle; `undefined` for nuclei that it makes only when they are asked for, and unknown ones. */
export function findParticleName({ name, z, a }: Species): string | undefined {
  return a === 0 ? OTHERS[name] : NUCLEI[`${z}/${a}`];
}

/** Whether it is a nucleus that can be shot by charge and mass number. */
export function isIon({ z, a }: Species): boolean {
  return z >= 1 && a >= z;
}
