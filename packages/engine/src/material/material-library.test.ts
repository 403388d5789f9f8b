import { describe, expect, it } from '@jest/globals';
import { physicsTables } from '../transport/physics-tables.js';
import { findMaterial, ionisationEv, listMaterials } from './material-library.js';

describe('the material library', () => {
  it('has every ICRU id from 1 to 278, and graphite', () => {
    expect(listMaterials().map(({ icru }) => icru)).toEqual([...Array.from({ length: 278 }, (_, i) => i + 1), 906]);
  });

  it('gives complete compositions and finite constants', () => {
    for (const { icru, densityGcm3, ionisationEv: ionisation, composition } of listMaterials()) {
      const sum = composition.reduce((total, { fraction }) => total + fraction, 0);
      expect([icru, Math.abs(sum - 1) < 1e-12]).toEqual([icru, true]);
      expect([icru, densityGcm3 > 0, ionisation > 15 && ionisation < 1000]).toEqual([icru, true, true]);
      expect([icru, composition.every(({ z, atomicWeight }) => atomicWeight / z < 2.7)]).toEqual([icru, true]);
    }
  });

  it('gives every material a positive stopping power that falls above 1 MeV', () => {
    for (const { icru, name } of listMaterials()) {
      const table = physicsTables({ name, icru });
      const values = [1, 3, 10, 30, 100, 300].map((energy) => table.stoppingPower({ z: 1, a: 1 }, energy));
      for (const [i, value] of values.entries())
        expect([name, value > 0 && value < (values[i - 1] ?? Infinity)]).toEqual([name, true]);
    }
  });

  it('changes water and graphite, and nothing else, by ICRU 90', () => {
    const changed = listMaterials().filter(
      (material) => ionisationEv(material, 'icru90') !== ionisationEv(material, 'icru49'),
    );
    expect(changed.map(({ icru, name }) => [icru, name])).toEqual([
      [276, 'water_liquid'],
      [906, 'graphite'],
    ]);
    expect(findMaterial(1000)).toBeUndefined();
  });
});
