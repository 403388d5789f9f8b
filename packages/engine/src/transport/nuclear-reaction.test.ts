import { describe, expect, it } from '@jest/globals';

import { createTransportModule } from './transport-module.js';

interface Product {
  readonly z: number;
  readonly a: number;
  readonly energy: number;
}

const TRIES = 1500;

/** Products of many reactions of a nucleon (proton or neutron) with a nucleus. */
function react(proton: boolean, energy: number, z: number, a: number): Product[][] {
  const module = createTransportModule();
  module.call('setGenerator', 1, 2, 3, 4);
  return Array.from({ length: TRIES }, () => {
    const count = module.call('react', proton ? 1 : 0, energy, z, a);
    return Array.from({ length: count }, (_, i) => ({
      z: module.call('product', i, 0),
      a: module.call('product', i, 1),
      energy: module.call('product', i, 2),
    }));
  });
}

/** Mean number, and share of the projectile's energy, of one kind of product. */
function yieldOf(events: readonly Product[][], energy: number, z: number, a: number) {
  const list = events.flat().filter((product) => product.z === z && product.a === a);
  const total = list.reduce((sum, product) => sum + product.energy, 0);
  return { number: list.length / TRIES, share: total / TRIES / energy };
}

describe('reactions', () => {
  it.each([
    [true, 150, 8, 16],
    [true, 20, 8, 16],
    [true, 250, 6, 12],
    [true, 9, 7, 14],
    [true, 100, 20, 40],
    [true, 200, 29, 64],
    [true, 150, 82, 207],
    [false, 14, 8, 16],
    [false, 3, 26, 56],
    [false, 100, 74, 184],
    [true, 80, 2, 4],
  ])(
    'conserve charge and mass number, and make no energy (proton: %s, %f MeV on Z %i, A %i)',
    (proton, energy, z, a) => {
      for (const event of react(proton, energy, z, a)) {
        expect(event.reduce((sum, product) => sum + product.z, 0)).toBe(z + (proton ? 1 : 0));
        expect(event.reduce((sum, product) => sum + product.a, 0)).toBe(a + 1);
        // capture of a nucleon sets free at most its binding, some 20 MeV
        expect(event.reduce((sum, product) => sum + product.energy, 0)).toBeLessThan(energy + 20);
        for (const product of event) expect(product.energy).toBeGreaterThanOrEqual(0);
      }
    },
  );

  it.each([
    [50, 1.21, 0.39],
    [100, 1.69, 0.44],
    [150, 1.99, 0.48],
    [200, 2.17, 0.5],
  ])('of protons of %i MeV with oxygen give protons as in ICRU 63 within 20 %', (energy, number, share) => {
    const protons = yieldOf(react(true, energy, 8, 16), energy, 1, 1);
    expect(Math.abs(protons.number / number - 1)).toBeLessThan(0.2);
    expect(Math.abs(protons.share / share - 1)).toBeLessThan(0.2);
  });

  // number and energy share of protons and neutrons: own runs of Geant4 11.4, binary cascade and Bertini
  it.each([
    [true, 70, 8, 16, 1.67, 0.472, 0.59, 0.117],
    [true, 150, 8, 16, 1.98, 0.569, 0.88, 0.198],
    [true, 150, 6, 12, 1.8, 0.559, 0.83, 0.184],
    [true, 150, 20, 40, 2.67, 0.546, 1.03, 0.186],
    [true, 150, 29, 64, 1.82, 0.459, 2.32, 0.249],
    [true, 150, 82, 207, 0.9, 0.288, 6.55, 0.3],
    [false, 100, 8, 16, 0.9, 0.184, 1.6, 0.505],
  ])(
    'give nucleons between the binary and the Bertini cascade of Geant4 (proton: %s, %i MeV, Z %i)',
    (proton, energy, z, a, protonNumber, protonShare, neutronNumber, neutronShare) => {
      const events = react(proton, energy, z, a);
      const protons = yieldOf(events, energy, 1, 1);
      const neutrons = yieldOf(events, energy, 0, 1);
      expect(Math.abs(protons.number / protonNumber - 1)).toBeLessThan(0.3);
      expect(Math.abs(protons.share / protonShare - 1)).toBeLessThan(0.45);
      expect(Math.abs(neutrons.number / neutronNumber - 1)).toBeLessThan(0.3);
      expect(Math.abs(neutrons.share / neutronShare - 1)).toBeLessThan(0.45);
    },
  );

  it('leave fragments of oxygen with a few MeV', () => {
    const events = react(true, 150, 8, 16);
    const alpha = yieldOf(events, 150, 2, 4);
    expect(alpha.number).toBeGreaterThan(0.25);
    expect(alpha.number).toBeLessThan(0.65);
    const heavy = events.flat().filter(({ a }) => a > 4);
    const energy = heavy.reduce((sum, product) => sum + product.energy, 0) / heavy.length;
    expect(energy).toBeGreaterThan(2);
    expect(energy).toBeLessThan(4);
  });
});

describe('cross sections of neutrons', () => {
  it('on hydrogen follow the published n–p values', () => {
    const module = createTransportModule();
    module.call('addMaterial', 3, 8.3748e-5, 19.2, 19.2, 0.7);
    module.call('addElement', 1, 1.008, 1);
    const density = 6.02214076e-4 / 1.008;
    for (const [energy, barn] of [
      [1e-7, 20.4],
      [0.1, 12.7],
      [1, 4.26],
      [10, 0.94],
      [50, 0.168],
      [100, 0.0734],
      [200, 0.0424],
    ] as const) {
      const value = module.call('neutronSigma', 0, energy) / density / 1000;
      expect([energy, Math.abs(value / barn - 1) < 0.04]).toEqual([energy, true]);
    }
  });
});
