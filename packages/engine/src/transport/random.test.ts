import { describe, expect, it } from '@jest/globals';

import { createTransportModule } from './transport-module.js';

const module = createTransportModule();
const draw = () => module.call('randomBits') >>> 0;

describe('random numbers', () => {
  it('are those of xoshiro128**', () => {
    module.call('setGenerator', 1, 2, 3, 4);
    const published = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849];
    expect(published.map(draw)).toEqual(published);
  });

  it('of a history depend on seed and history alone', () => {
    const stream = (low: number, high: number, history: number) => {
      module.call('startStream', low, high, history);
      return Array.from({ length: 4 }, draw);
    };
    const before = stream(7, 0, 1000);
    stream(7, 0, 999);
    expect(stream(7, 0, 1000)).toEqual(before);
    expect(stream(8, 0, 1000)).not.toEqual(before);
    expect(stream(7, 1, 1000)).not.toEqual(before);
    expect(stream(7, 0, 2 ** 40 + 1000)).not.toEqual(before);
  });

  it('are uniform: χ² of a million in 100 bins', () => {
    module.call('startStream', 42, 0, 0);
    const counts = new Float64Array(100);
    for (let i = 0; i < 1e6; i++) {
      const u = module.call('randomUniform');
      counts[Math.floor(u * 100)] = (counts[Math.floor(u * 100)] ?? 0) + 1;
      if (u <= 0 || u >= 1) throw new Error(`uniform ${u} is outside (0, 1)`);
    }
    const chi2 = counts.reduce((sum, count) => sum + (count - 1e4) ** 2 / 1e4, 0);
    // 99 degrees of freedom: between the 0.01 % and the 99.99 % quantile
    expect(chi2).toBeGreaterThan(53);
    expect(chi2).toBeLessThan(161);
  });

  it('of neighbouring histories are not correlated', () => {
    const n = 1e6;
    const first = Float64Array.from({ length: n + 1 }, (_, history) => {
      module.call('startStream', 1, 2, history);
      return module.call('randomUniform') - 0.5;
    });
    let product = 0;
    let square = 0;
    for (let i = 0; i < n; i++) {
      product += (first[i] ?? 0) * (first[i + 1] ?? 0);
      square += (first[i] ?? 0) ** 2;
    }
    expect(Math.abs(product / square)).toBeLessThan(0.004);
  });
});
