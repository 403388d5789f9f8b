import { writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { drawPlot } from './draw-plot.js';
import { plotSvg } from './plot-svg.js';

const N = 80;
const x = Float64Array.from({ length: N }, (_, i) => i * 0.25 + 0.125);
const bragg = (range: number) => x.map((z) => (z < range ? 1.2e-3 + 3.5e-3 * Math.exp(-((range - z) ** 2) / 2) : 1e-6));
const curve = (label: string, range: number) => ({
  label,
  x,
  values: bragg(range),
  errors: bragg(range).map((value) => value * 0.07),
});
const titles = { xTitle: 'Z [cm]', yTitle: 'Dose [MeV/g/primary]' };

/** Width and height of a PNG (W3C PNG, 11.2.1). */
const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

describe('a picture of curves', () => {
  it('is a PNG of twice its size, of one curve and of several', async () => {
    const one = await drawPlot({ ...titles, curves: [curve('', 15.4)] });
    const several = await drawPlot({
      ...titles,
      curves: [10, 12, 14, 16].map((range) => curve(`${range} cm & more`, range)),
    });
    for (const png of [one, several]) {
      expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
      expect(sizeOf(png)).toEqual([1280, 800]);
    }
    if (process.env.TALLY_PICTURES) {
      writeFileSync(`${process.env.TALLY_PICTURES}/one.png`, one);
      writeFileSync(`${process.env.TALLY_PICTURES}/several.png`, several);
    }
  });

  it('names both axes with their units, has a band of errors, and takes titles as text', () => {
    const svg = plotSvg({ ...titles, xTitle: 'Z <b> [cm]', curves: [curve('a "b"', 10), curve('c', 12)] });
    for (const words of ['Z &#60;b&#62; [cm]', 'Dose [MeV/g/primary]', 'a &#34;b&#34;']) expect(svg).toContain(words);
    expect(svg.match(/<polygon /g)).toHaveLength(2);
    expect(svg.match(/<polyline /g)).toHaveLength(2);
  });

  it('is drawn of values that are all zero, and of errors that are not known', async () => {
    const values = new Float64Array(N);
    const flat = { label: '', x, values, errors: values.map(() => Number.NaN) };
    expect(plotSvg({ ...titles, curves: [flat] })).not.toContain('NaN');
    expect((await drawPlot({ ...titles, curves: [flat] })).byteLength).toBeGreaterThan(1_000);
  });
});
