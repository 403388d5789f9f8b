import { describe, expect, it } from '@jest/globals';
import { drawing } from './plane-figure.js';

describe('the figure of a plane', () => {
  it('has the bins as an image, both axes with their ticks, and the scale of its colours', () => {
    const [x, y] = [
      { name: 'x', unit: 'cm', centres: [-1, 0, 1] },
      { name: 'a < "b" & c', unit: '', centres: [0.5, 1.5] },
    ];
    const grid = { axes: [x, y], values: new Float64Array(6), errors: new Float64Array(), unit: 'MeV/g', name: 'Dose' };
    const svg = drawing(x, y, grid, { kind: 'logarithmic', low: 0.01, high: 100 }, 'data:image/png;base64,AAAA');
    expect(svg).toMatch(/^<svg [^>]*width="1200"/);
    expect(svg).toContain('href="data:image/png;base64,AAAA"');
    expect(svg).toContain('a &#60; &#34;b&#34; &#38; c</text>');
    expect([...svg.matchAll(/>([-\d.]+)<\/text>/g)].map(([, text]) => text)).toEqual(
      '0.01 0.1 1 10 100 -1.5 -1 -0.5 0 0.5 1 1.5 0 0.5 1 1.5 2'.split(' '),
    );
  });
});
