import { describe, expect, it } from '@jest/globals';
import { createHistogram, createTGraph, createTMultiGraph, parse } from 'jsroot/core';
import { chartAsRootJson, planeAsRootJson } from './root-json.js';

const axis = { name: 'z', unit: 'cm', isLogarithmic: false, range: undefined };
const line = { x: [1, 2, 3], y: [4, 5, 6], color: '#000000', isRight: false, form: 'line' } as const;
const chart = {
  title: 'curves',
  x: axis,
  y: { ...axis, name: 'Dose', unit: 'Gy' },
  right: undefined,
  series: [
    { ...line, label: 'a', errors: [0.1, null, 0.3] },
    { ...line, label: 'b', errors: [] },
  ],
  levels: [],
};

describe('what is saved for ROOT', () => {
  it('has the members that a TMultiGraph of ROOT has, and the numbers', () => {
    const read = parse(chartAsRootJson(chart));
    const [a, b] = read.fGraphs.arr;
    expect([a._typename, a.fX, a.fY, a.fEY]).toEqual(['TGraphErrors', [1, 2, 3], [4, 5, 6], [0.1, 0, 0.3]]);
    expect([b._typename, b.fNpoints]).toEqual(['TGraph', 3]);
    const model = createTMultiGraph(createTGraph(1, [1], [1]));
    expect(Object.keys(read).sort()).toEqual(Object.keys(model).sort());
    expect(Object.keys(b).sort()).toEqual(Object.keys(model.fGraphs.arr[0]).sort());
    expect(Object.keys(read.fHistogram).sort()).toEqual(Object.keys(createHistogram('TH1F', 1)).sort());
  });

  it('has the bins of a plane with their errors as a TH2D', () => {
    const centres = [0.5, 1.5];
    const grid = {
      axes: [
        { name: 'x', unit: 'cm', centres },
        { name: 'z', unit: 'cm', centres },
      ],
      values: Float64Array.of(1, 2, 3, Number.NaN),
      errors: Float64Array.of(1, 2, 3, Number.NaN),
      unit: 'Gy',
      name: 'Dose',
    };
    const read = parse(planeAsRootJson(grid));
    const model = createHistogram('TH2D', 2, 2);
    expect(Object.keys(read).sort()).toEqual(Object.keys(model).sort());
    expect(Object.keys(read.fXaxis).sort()).toEqual(Object.keys(model.fXaxis).sort());
    expect([...read.fArray]).toEqual([0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0]);
    expect([read.fSumw2[6], read.fXaxis.fXmin, read.fXaxis.fXmax, read.fXaxis.fTitle]).toEqual([4, 0, 2, 'x / cm']);
  });
});
