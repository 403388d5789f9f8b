import type { Species } from '../../project/particle.js';

const NAMES: Readonly<Record<string, string>> = {
  neutron: 'neutron',
  proton: 'proton',
  antiproton: 'anti_proton',
  photon: 'gamma',
  electron: 'e-',
  positron: 'e+',
  'negative pion': 'pi-',
  'positive pion': 'pi+',
  'neutral pion': 'pi0',
  'negative kaon': 'kaon-',
  'positive kaon': 'kaon+',
  'neutral kaon': 'kaon0',
  'long-lived neutral kaon': 'kaon0L',
  'negative muon': 'mu-',
  'positive muon': 'mu+',
  deuteron: 'deuteron',
  triton: 'triton',
  'helium-3': 'He3',
  'helium-4': 'alpha',
};

/** The light nuclei that have a name of their own, however they were chosen. */
const LIGHT_NUCLEI: Readonly<Record<string, string>> = {
  '1 1': 'proton',
  '1 2': 'deuteron',
  '1 3': 'triton',
  '2 3': 'He3',
  '2 4': 'alpha',
};

/** How the simulator calls a particle: by name, and other nuclei by charge and mass. */
export function particleName({ name, z, a }: Species): string {
  return NAMES[name] ?? LIGHT_NUCLEI[`${z} ${a}`] ?? `GenericIon(${z},${a})`;
}
