import type { MergedPage } from '@tally/merge';
import { findGeant4 } from '@tally/testkit';
import { createSimCDriver } from '../../src/sim-c/sim-c-driver.js';
import { builtInEngine, type Program, runProject } from '../run-project.js';

const geant4 = findGeant4();

/** Behind a title: why its tests are skipped, where they are. */
export const SKIPPED_WITHOUT_GEANT4 =
  geant4 === undefined ? ' (skipped: no geant4-pybind; npm test installs it where it can)' : '';

/** The same page of both programs. */
export interface PagePair {
  /** `<estimator>/<page>`. */
  readonly title: string;
  readonly real: MergedPage;
  /** Absent where the engine does not score it. */
  readonly engine: MergedPage | undefined;
}

/** simulators/geant4 as a runner starts it; quantities that simC does not have are left out. */
export function realGeant4(): Program {
  if (geant4 === undefined) throw new Error('no Geant4');
  return { driver: createSimCDriver('simC'), config: geant4, onUnsupported: 'omit' };
}

/** Runs a project on both, the engine with the stopping powers of Geant4. */
export async function runOnBoth(json: unknown, seed = '1'): Promise<readonly PagePair[]> {
  const engine = await runProject(json, 1, seed, builtInEngine('simD', 'omit'));
  const real = await runProject(json, 1, seed, realGeant4());
  return real.pages.map((page) => ({
    title: titleOf(page),
    real: page,
    engine: engine.pages.find((other) => titleOf(other) === titleOf(page)),
  }));
}

export function titleOf({ estimatorName, pageName }: MergedPage): string {
  return `${estimatorName}/${pageName}`;
}

/** Unit and axes, as users see them. */
export function shapeOf({ unit, axes }: MergedPage): unknown {
  return [unit, ...axes.map((axis) => [axis.name, axis.unit, ...axis.centers])];
}

/** Visits every bin with its place on each axis, first axis fastest. */
export function visitBins(
  { axes, values }: MergedPage,
  visit: (value: number, places: readonly number[]) => void,
): void {
  values.forEach((value, bin) => {
    let rest = bin;
    const places = axes.map(({ centers }) => {
      const place = rest % centers.length;
      rest = Math.floor(rest / centers.length);
      return place;
    });
    visit(value, places);
  });
}

/** Sums over the lower and upper half of every axis, the first axis fastest: 2 for one axis, 4 for two, 8 for three. */
export function sumHalves(page: MergedPage): number[] {
  const sums = Array.from({ length: 2 ** page.axes.length }, () => 0);
  visitBins(page, (value, places) => {
    const part = places.reduce((index, place, axis) => {
      const isUpper = 2 * place + 1 > (page.axes[axis]?.centers.length ?? 0);
      return isUpper ? index + 2 ** axis : index;
    }, 0);
    sums[part] = (sums[part] ?? 0) + value;
  });
  return sums;
}

/** Mean of each axis and covariances of every two, weighted with the values: `[mean x, mean y, xx, xy, yy]` of two axes. */
export function momentsOf(page: MergedPage): { readonly means: number[]; readonly covariances: number[][] } {
  const count = page.axes.length;
  const means = Array.from({ length: count }, () => 0);
  const squares = means.map(() => means.map(() => 0));
  let total = 0;
  visitBins(page, (value, places) => {
    const point = places.map((place, axis) => page.axes[axis]?.centers[place] ?? 0);
    total += value;
    point.forEach((x, i) => {
      means[i] = (means[i] ?? 0) + value * x;
      point.forEach((y, j) => {
        const row = squares[i] ?? [];
        row[j] = (row[j] ?? 0) + value * x * y;
      });
    });
  });
  const scaled = means.map((sum) => sum / total);
  const covariances = squares.map((row, i) => row.map((sum, j) => sum / total - (scaled[i] ?? 0) * (scaled[j] ?? 0)));
  return { means: scaled, covariances };
}
