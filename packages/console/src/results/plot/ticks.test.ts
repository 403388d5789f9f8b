import { describe, expect, it } from '@jest/globals';
import { linearTicks, logarithmicTicks, measured } from './ticks.js';

const wordsOf = ({ ticks }: ReturnType<typeof linearTicks>) =>
  ticks.flatMap(({ words }) => (words === '' ? [] : [words]));

describe('numbers of an axis', () => {
  it('are round, with as many decimals as their step needs, and a real minus', () => {
    expect(wordsOf(linearTicks(-2, 2.1, 4))).toEqual(['−2', '−1', '0', '1', '2']);
    expect(wordsOf(linearTicks(15.73, 15.76, 3))).toEqual(['15.73', '15.74', '15.75', '15.76']);
    expect(wordsOf(linearTicks(0, 20, 4))).toEqual(['0', '5', '10', '15', '20']);
  });

  it('have a common power of ten where they are very small or large', () => {
    const small = linearTicks(0, 0.0042, 4);
    expect([small.exponent, wordsOf(small)]).toEqual([-3, ['0', '1', '2', '3', '4']]);
    expect(small.ticks[1]?.at).toBeCloseTo(0.001, 15);
    const large = linearTicks(0, 3e7, 3);
    expect([large.exponent, wordsOf(large)]).toEqual([7, ['0', '1', '2', '3']]);
    expect(linearTicks(0, 0.05, 5).exponent).toBe(0);
  });

  it('are one number for an axis without a length', () => expect(wordsOf(linearTicks(3, 3, 5))).toEqual(['3']));

  it('of a logarithmic axis are powers with marks between them; 1, 2, 5 of few decades; as a linear one within a decade', () => {
    expect(wordsOf(logarithmicTicks(1e-6, 1e-2, 6))).toEqual(['10⁻⁶', '10⁻⁵', '10⁻⁴', '10⁻³', '10⁻²']);
    expect(logarithmicTicks(1e-6, 1e-2, 6).ticks).toHaveLength(37);
    expect(wordsOf(logarithmicTicks(0.7, 20, 6))).toEqual(['1', '2', '5', '10', '20']);
    expect(wordsOf(logarithmicTicks(1e-12, 1, 4))).toEqual(['10⁻¹²', '10⁻⁹', '10⁻⁶', '10⁻³', '10⁰']);
    expect(wordsOf(logarithmicTicks(3, 4, 4))).toEqual(
      ['3', '3.2', '3.4', '3.6', '3.8', '4'].map((text) => Number(text).toFixed(1)),
    );
  });
});

describe('a measured value', () => {
  it('has its error to two digits, and itself as many decimals', () => {
    expect(measured(15.7421, 0.0118, 'cm')).toBe('15.742 ± 0.012 cm');
    expect(measured(1234, 56, '')).toBe('1234 ± 56');
    expect(measured(-0.5, 0.25, 'Gy')).toBe('−0.50 ± 0.25 Gy');
  });

  it('has one power of ten for both where it is very small or large', () => {
    expect(measured(1.2345e-3, 1.2e-5, 'MeV/g')).toBe('(1.234 ± 0.012)×10⁻³ MeV/g');
    expect(measured(2.5e8, 1e7, '')).toBe('(2.50 ± 0.10)×10⁸');
    expect(measured(0, 3e-4, 'MeV')).toBe('(0.0 ± 3.0)×10⁻⁴ MeV');
  });

  it('is told with four digits where its error is not known', () => {
    expect(measured(15.7421, null, 'cm')).toBe('15.74 cm');
    expect(measured(15.7421, Number.NaN, '')).toBe('15.74');
    expect(measured(6.02e-23, undefined, '')).toBe('6.02×10⁻²³');
    expect(measured(0, undefined, 'cm')).toBe('0 cm');
  });
});
