import { describe, expect, it } from '@jest/globals';
import type { Chart, Series } from '../plot/chart.js';
import { chartAsCsv, fileName, planeAsCsv } from './chart-csv.js';

const series = (label: string, x: number[], isRight = false): Series => ({
  label,
  x,
  y: x.map((at) => at / 3),
  errors: x.map((_, i) => (i === 0 ? null : 0.5)),
  color: '#000000',
  isRight,
  form: 'line',
});
const axis = { name: 'z', unit: 'cm', isLogarithmic: false, range: undefined };
const chart = (all: Series[], range?: readonly [number, number]): Chart => ({
  title: '',
  x: { ...axis, range },
  y: { ...axis, name: 'Dose', unit: 'Gy' },
  right: { ...axis, name: 'LET', unit: 'keV/um' },
  series: all,
  levels: [],
});

describe('the numbers of a figure as CSV', () => {
  it('are those in sight, with names, units and errors, and what they are from', () => {
    const csv = chartAsCsv(chart([series('a, b', [1, 2, 3]), series('=LET', [1, 2, 3], true)], [2, 3]), ['job: 1']);
    expect(csv).toBe(
      '# job: 1\nz / cm,"a, b / Gy","error of a, b / Gy",\'=LET / keV/um,error of =LET / keV/um\n' +
        `2,${2 / 3},0.5,${2 / 3},0.5\n3,1,0.5,1,0.5\n`,
    );
  });

  it('are rows by curve where curves have other bins', () => {
    expect(chartAsCsv(chart([series('a', [0]), series('b', [3], true)]), [])).toBe(
      'curve,z / cm,value,error,unit\na,0,0,,Gy\nb,3,1,,keV/um\n',
    );
  });

  it('of a plane are the bins of the part in sight', () => {
    const grid = {
      axes: [
        { name: 'x', unit: 'cm', centres: [0, 1] },
        { name: 'z', unit: 'cm', centres: [5, 6] },
      ],
      values: Float64Array.of(1, 2, 3, 4),
      errors: Float64Array.of(0.1, Number.NaN, 0.3, 0.4),
      unit: 'Gy',
      name: 'Dose',
    };
    expect(planeAsCsv(grid, { x: [0.5, 2] }, [])).toBe('x / cm,z / cm,Dose / Gy,error / Gy\n1,5,2,\n1,6,4,0.4\n');
  });
});

describe('the name of a file', () => {
  it('says job, estimator and page in letters that every system takes', () => {
    expect(fileName('20261130-024539-ab12', 'depth dose / z', 'dLET: µ', 'difference')).toBe(
      '20261130-024539-ab12_depth-dose-z_dLET-µ_difference',
    );
  });
});
