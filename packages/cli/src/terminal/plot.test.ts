import { describe, expect, it } from '@jest/globals';
import { plot } from './plot.js';

describe('a curve in the terminal', () => {
  const curve = { x: [1, 2, 3, 4], xLabel: 'Z / cm', yLabel: 'keV/um', columns: 4, rows: 4 };

  it('ends at the largest certain value, and says how many lie above', () => {
    const lines = plot({ ...curve, values: [1, 2, 90, 70], errors: [0.1, 0.2, 80, null] }).split('\n');
    expect(lines[1]).toMatch(/^\s*2\.20 ┤/);
    expect(lines.at(-1)).toBe('  2 of 4 values above the axis: it ends at those with errors below 20 %');
  });

  it('shows all of a curve without errors', () => {
    const text = plot({ ...curve, values: [1, 2, 90, 70] });
    expect(text).toContain('90.0 ┤');
    expect(text).not.toContain('above the axis');
  });
});
