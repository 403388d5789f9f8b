import { describe, expect, it } from '@jest/globals';
import { type Chart, type Format, layOut, nearestBin, type Series, xRange, yRange } from './chart.js';

const series = (y: number[], more: Partial<Series> = {}): Series => ({
  label: 'dose',
  x: y.map((_, i) => i),
  y,
  errors: y.map((value) => 0.01 * Math.abs(value)),
  color: '#000000',
  isRight: false,
  errorsAs: 'band',
  form: 'line',
  ...more,
});
const axis = { name: 'z', unit: 'cm', isLogarithmic: false, range: undefined };
const chart = (all: readonly Series[], more: Partial<Chart> = {}): Chart => ({
  title: '',
  x: axis,
  y: { ...axis, name: 'Dose', unit: 'MeV/g' },
  right: undefined,
  series: all,
  levels: [],
  ...more,
});
const paper: Format = {
  width: 241,
  height: 160,
  fontSize: 8,
  lineWidth: 1,
  hasLegend: true,
  ink: '#000000',
  grid: 'none',
  fontFamily: 'Arimo',
  letterWidth: 1,
};

describe('ranges of a chart', () => {
  it('reach from 0 to a little above the largest certain value, and below 0 for differences with their band', () => {
    expect(yRange([series([1, 10, 0.1])], false)).toEqual([0, expect.closeTo(10.1 * 1.08, 9)]);
    expect(yRange([series([1, -10, 2])], false)).toEqual([
      expect.closeTo(-10.1 * 1.08, 9),
      expect.closeTo(2.02 * 1.08, 9),
    ]);
    expect(yRange([series([5, 400], { errors: [0.1, 399] })], false)[1]).toBeCloseTo(5.1 * 1.08, 9);
    expect(yRange([series([0, 0])], false)).toEqual([0, 1]);
  });

  it('of a logarithmic axis hold the values above 0, six decades at most', () => {
    expect(yRange([series([0, 3, 300])], true)).toEqual([2, expect.closeTo(606, 6)]);
    expect(yRange([series([1e-12, 1])], true)[0]).toBeCloseTo(1.01e-6, 9);
    expect(yRange([series([0, -1])], true)).toEqual([0.1, 1]);
  });

  it('leave room beside points', () => {
    expect(xRange([series([1, 2, 3])], false)).toEqual([0, 2]);
    expect(xRange([series([1, 2, 3], { form: 'points' })], false)).toEqual([-0.08, 2.08]);
  });
});

describe('the layout of a chart', () => {
  it('keeps everything inside its format, with a title, a power of ten and an axis on the right', () => {
    const { box, right, y } = layOut(
      chart([series([0.001, 0.002]), series([4, 5], { isRight: true })], {
        title: 'title',
        right: { ...axis, name: 'LET', unit: 'keV/um' },
      }),
      paper,
    );
    expect(box.left).toBeGreaterThan(3 * 8);
    expect(box.left + box.width).toBeLessThan(241 - 3 * 8);
    expect(box.top).toBeGreaterThan(2 * 8);
    expect(box.top + box.height).toBeLessThan(160 - 3 * 8);
    expect([y.exponent, y.title, right?.title]).toEqual([-3, 'Dose / (MeV/g)', 'LET / (keV/µm)']);
  });

  it('puts the legend into a corner where no curve runs, or above all curves', () => {
    const rising = Array.from({ length: 50 }, (_, i) => i + 1);
    const free = layOut(chart([series(rising, { label: 'a' }), series(rising, { label: 'b' })]), paper);
    expect(free.legend?.left).toBeLessThan(241 / 2); // a rising curve leaves the upper left
    expect(free.legend?.top).toBeGreaterThanOrEqual(free.box.top);
    const full = layOut(
      chart([series(rising, { label: 'a' }), series(rising.toReversed(), { label: 'a'.repeat(60) })]),
      paper,
    );
    expect((full.legend?.top ?? 0) + (full.legend?.height ?? 0)).toBeLessThanOrEqual(full.box.top);
  });

  it('shows a range by hand, and all of it where the axis cannot have it', () => {
    const given = (range: readonly [number, number], isLogarithmic: boolean) =>
      layOut(chart([series([1, 2])], { y: { ...axis, isLogarithmic, range } }), paper).y.scale.domain();
    expect(given([0.5, 1], false)).toEqual([0.5, 1]);
    expect(given([1, 0.5], false)[0]).toBe(0);
    expect(given([-1, 1], true)[0]).toBeGreaterThan(0);
  });
});

describe('the nearest bin', () => {
  it('is that of the closest place, anywhere along the curve', () => {
    const x = [0, 1, 2, 10];
    expect([-5, 0.4, 0.6, 5.9, 6.1, 99].map((at) => nearestBin(x, at))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(nearestBin([], 1)).toBeUndefined();
  });
});
