import { describe, expect, it } from '@jest/globals';
import { fitText, quantityWords, textWidth, toPieces, unitWords } from './rich-text.js';

describe('a text of a figure', () => {
  it('has its powers apart, so that they can be raised', () => {
    expect(toPieces('×10⁻³ cm²')).toEqual([
      { text: '×10', isRaised: false },
      { text: '−3', isRaised: true },
      { text: ' cm', isRaised: false },
      { text: '2', isRaised: true },
    ]);
  });

  it('is shortened in its middle to a width', () => {
    const long = '150 MeV protons in water, and a range shifter of 3 cm before it';
    const short = fitText(long, 8, 120);
    expect(short).toMatch(/^150 MeV.*….* it$/);
    expect(textWidth(short, 8)).toBeLessThanOrEqual(120);
    expect(fitText('short', 8, 120)).toBe('short');
  });
});

describe('a unit', () => {
  it.each([
    ['MeV/cm', 'MeV/cm'],
    ['keV/um', 'keV/µm'],
    ['/cm^2/prim', 'cm⁻² per primary'],
    ['MeV/g/prim', 'MeV/g per primary'],
    ['/mm2', 'mm⁻²'],
    ['g/cm^3', 'g/cm³'],
    ['1/MeV', 'MeV⁻¹'],
    ['', ''],
  ])('%s is %s', (unit, words) => expect(unitWords(unit)).toBe(words));

  it('stands behind its quantity, in brackets where it is a fraction', () => {
    expect(quantityWords('z', 'cm')).toBe('z / cm');
    expect(quantityWords('Dose', 'MeV/g')).toBe('Dose / (MeV/g)');
    expect(quantityWords('Ratio', '1')).toBe('Ratio');
    expect(quantityWords('', 'Gy')).toBe('Gy');
  });
});
