import { describe, expect, it } from '@jest/globals';
import { distinguish, readLevels, readNumbers, readZoom, toChart, writeZoom } from './curves-chart.js';

const curve = (name: string, unit: string) => ({
  label: `${name} of this job`,
  name,
  axis: { name: 'z', unit: 'cm', centres: [0, 1] },
  values: [1, 2],
  errors: [0.1, null],
  unit,
});

describe('curves as a chart', () => {
  it('name both axes by quantity and unit; a second unit is read off the right', () => {
    const chart = toChart([curve('Dose', 'Gy'), curve('dLET', 'keV/um')], { isLogarithmic: false, hasErrors: true });
    expect(chart.y).toMatchObject({ name: 'Dose', unit: 'Gy' });
    expect(chart.right).toMatchObject({ name: 'dLET', unit: 'keV/um' });
    expect(chart.series.map(({ isRight }) => isRight)).toEqual([false, true]);
    expect(toChart([], { isLogarithmic: true, hasErrors: true }).series).toEqual([]);
  });
});

describe('the part of a chart in an address', () => {
  it('is read as it was written, and without what is no range', () => {
    for (const zoom of [{ x: [1.5, 2] }, { x: [1, 2], y: [0, 3e-4] }, { y: [-1, 1] }] as const)
      expect(readZoom(writeZoom(zoom))).toMatchObject(zoom);
    expect(writeZoom({ x: [14.123456789, 16] })).toBe('14.1235,16');
    expect(writeZoom({})).toBeUndefined();
    for (const text of [undefined, '', '2,1', 'a,b', '1', ',,3']) expect(readZoom(text)).toBeUndefined();
    expect(readNumbers('3,,x,7', 5)).toEqual([3, undefined, undefined, 7, undefined]);
  });
});

describe('levels', () => {
  it('are values, or percent of the largest certain value; each once, and what is no number is left out', () => {
    const values = [1, 4, 99];
    expect(readLevels('50 %, 0.25; 12.5%, high, 50 %, -1', values, [0.1, 0.1, 98])).toEqual([
      { value: 2, label: '50 %' },
      { value: 0.25, label: '0.25' },
      { value: 0.5, label: '12.5 %' },
      { value: -1, label: '−1' },
    ]);
    expect(readLevels(undefined, values, [])).toEqual([]);
    expect(readLevels('50 %', [Number.NaN, 4], [])).toEqual([{ value: 2, label: '50 %' }]);
  });
});

describe('the legend', () => {
  it('says what differs, and the title what all have in common', () => {
    expect(
      distinguish([
        'Protons in water: proton, 100 MeV (1130-010101)',
        'Protons in water: proton, 120 MeV (1130-010102)',
      ]),
    ).toEqual({
      common: 'Protons in water: proton',
      own: ['100 MeV', '120 MeV'],
    });
    expect(distinguish(['Water [beam.energy=70]', 'Water [beam.energy=80]']).own).toEqual([
      'beam.energy=70',
      'beam.energy=80',
    ]);
    expect(distinguish(['Water: proton, 150 MeV', 'Water [energy = 120]: proton, 120 MeV'])).toEqual({
      common: 'Water',
      own: ['proton, 150 MeV', '[energy = 120]: proton, 120 MeV'],
    });
    expect(distinguish(['a', 'a b'])).toEqual({ common: '', own: ['a', 'a b'] });
    expect(distinguish(['only one'])).toEqual({ common: 'only one', own: ['only one'] });
  });
});
