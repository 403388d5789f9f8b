import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { MergedPage } from '@tally/merge';
import { runProject } from './run-project.js';

const FOLDER = path.join(import.meta.dirname, '../../../examples');

interface Example {
  beam: { numberOfParticles: number };
}

function readExample(name: string, primaries: number): Example {
  const project = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Example;
  project.beam.numberOfParticles = primaries;
  return project;
}

async function readDepthDose(name: string, primaries: number): Promise<MergedPage> {
  const { pages } = await runProject(readExample(name, primaries), 1, '7');
  const page = pages.find(({ estimatorName, pageName }) => estimatorName === 'depth_dose' && pageName === 'Dose');
  if (page === undefined) throw new Error(`${name} scores no depth dose`);
  return page;
}

/** Depth behind the peak at which the dose has fallen to 80 % of it, and the peak over the entrance. */
function describePeak({ values, axes }: MergedPage) {
  const depths = axes[0]?.centers ?? [];
  const peak = Math.max(...values);
  const behind = values.findIndex((value, bin) => bin > values.indexOf(peak) && value < 0.8 * peak);
  const [before, after] = [values[behind - 1] ?? 0, values[behind] ?? 0];
  const fraction = (before - 0.8 * peak) / (before - after);
  const [near, far] = [depths[behind - 1] ?? 0, depths[behind] ?? 0];
  return { r80: near + fraction * (far - near), peakToEntrance: peak / (values[0] ?? 0) };
}

describe('examples on the reference engine', () => {
  it('proton-150mev-water reaches 15.6 to 15.9 cm and peaks at 3.8 to 4.3 times the entrance', async () => {
    const { r80, peakToEntrance } = describePeak(await readDepthDose('proton-150mev-water', 12_000));
    expect(r80).toBeGreaterThan(15.6);
    expect(r80).toBeLessThan(15.9);
    expect(peakToEntrance).toBeGreaterThan(3.8);
    expect(peakToEntrance).toBeLessThan(4.3);
  });

  it('proton-bone-slab stops short of it by the water-equivalent of the slab, in zones cut out of each other', async () => {
    const { r80 } = describePeak(await readDepthDose('proton-bone-slab', 6000));
    // 2 cm of compact bone of 1.85 g/cm³ stop like 3.4 cm of water; ICRU 90 water shifts by 0.8 mm more.
    expect(Math.abs(r80 - 14.4)).toBeLessThan(0.15);
  });

  it('proton-sobp-water is level from 10 to 13 cm', async () => {
    const { values, axes } = await readDepthDose('proton-sobp-water', 30_000);
    const plateau = [...values].filter((_, bin) => {
      const depth = axes[0]?.centers[bin] ?? 0;
      return depth > 10 && depth < 13;
    });
    const mean = plateau.reduce((sum, value) => sum + value, 0) / plateau.length;
    const spread = Math.sqrt(plateau.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0) / plateau.length);
    expect(spread).toBeLessThan(0.05);
    expect(mean / (values[0] ?? 0)).toBeGreaterThan(1.6);
  });

  it('electron-12mev-water falls to a half at 4.9 to 5.2 cm, and ends in the dose of photons', async () => {
    const { values, axes } = await readDepthDose('electron-12mev-water', 8000);
    const depths = axes[0]?.centers ?? [];
    const mean = (from: number, to: number) => {
      const part = [...values].filter((_, bin) => (depths[bin] ?? 0) > from && (depths[bin] ?? 0) < to);
      return part.reduce((sum, value) => sum + value, 0) / part.length;
    };
    const peak = mean(2, 3.5);
    expect(mean(0, 0.3) / peak).toBeGreaterThan(0.65);
    expect(mean(0, 0.3) / peak).toBeLessThan(0.95);
    expect(mean(4.7, 4.9)).toBeGreaterThan(0.5 * peak);
    expect(mean(5.2, 5.4)).toBeLessThan(0.5 * peak);
    expect(mean(7, 9) / peak).toBeLessThan(0.015);
    expect(mean(7, 9)).toBeGreaterThan(0);
  });

  it('carbon-270mevu-water peaks at 14.4 cm and has a tail', async () => {
    const page = await readDepthDose('carbon-270mevu-water', 2000);
    expect(Math.abs(describePeak(page).r80 - 14.46)).toBeLessThan(0.15);
    expect(page.values.at(-20)).toBeGreaterThan(0.01 * Math.max(...page.values));
  });

  it('give the same values to 1e-9, whatever the number of tasks, and others with another seed', async () => {
    const example = readExample('proton-150mev-water', 3000);
    const [one, seven, other] = await Promise.all([
      runProject(example, 1, '42'),
      runProject(example, 7, '42'),
      runProject(example, 1, '43'),
    ]);
    for (const [index, page] of one.pages.entries()) {
      const split = seven.pages[index];
      expect(split?.primaries).toBe(3000);
      const largest = Math.max(...page.values);
      for (const [bin, value] of page.values.entries()) {
        expect(Math.abs((split?.values[bin] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-9 * largest);
      }
      expect(other.pages[index]?.values).not.toEqual(page.values);
    }
  });

  it('tell their progress up to the last history', async () => {
    const { progress } = await runProject(readExample('proton-150mev-water', 1000), 4, '1');
    expect(progress.at(-1)).toEqual({ done: 250, total: 250 });
  });
});
