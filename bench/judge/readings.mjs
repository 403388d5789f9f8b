// What two doses of a problem are compared by.
import { gammaIndex } from '../../packages/merge/dist/src/compare/gamma.js';
import {
  meanBetween,
  readDistalEdge,
  readElectronEdge,
} from '../../packages/merge/dist/src/readings/depth-readings.js';
import { readProfile } from '../../packages/merge/dist/src/readings/profile-readings.js';

/** 2 % of the largest dose, 1 mm, bins above 10 % of it. */
const GAMMA = { dosePercent: 2, distance: 0.1, cutoffPercent: 10 };
/** Profiles are read at these parts of R80 (of electrons R50, of photons of the grid's depth), over so much depth. */
const PROFILE_PARTS = [0.3, 0.6, 0.9];
const PROFILE_DEPTH_CM = 0.5;
const ENTRANCE_CM = 0.5;
const SIGMAS_IN_FWHM = 2 * Math.sqrt(2 * Math.LN2);

const centersOf = (lower, upper, bins) =>
  Float64Array.from({ length: bins }, (_, bin) => lower + ((bin + 0.5) * (upper - lower)) / bins);

function axesOf({ grid }) {
  const [x, , z] = [0, 1, 2].map((axis) => centersOf(grid.lower[axis], grid.upper[axis], grid.bins[axis]));
  return { x, z, width: (grid.upper[0] - grid.lower[0]) / grid.bins[0] };
}

/** Over the whole cross section, MeV cm²/g. */
function depthCurve(problem, dose) {
  const { x, z, width } = axesOf(problem);
  const values = z.map((_, slice) => {
    let sum = 0;
    for (let bin = 0; bin < x.length; bin += 1) sum += dose[bin + x.length * slice];
    return sum * width;
  });
  return { centers: z, values };
}

function sigmaAt(problem, dose, depthCm) {
  const { x, z } = axesOf(problem);
  const values = new Float64Array(x.length);
  for (const [slice, depth] of z.entries()) {
    if (Math.abs(depth - depthCm) > PROFILE_DEPTH_CM / 2) continue;
    for (let bin = 0; bin < x.length; bin += 1) values[bin] += dose[bin + x.length * slice];
  }
  const widths = readProfile({ centers: x, values });
  return widths && (10 * widths.fwhm) / SIGMAS_IN_FWHM;
}

/** Ranges cm, ratios, widths mm, LET MeV/cm; absent: not of this kind of beam. */
export function readDose(problem, { dose, let: values }) {
  const curve = depthCurve(problem, dose);
  const entrance = meanBetween(curve, 0, ENTRANCE_CM);
  const at = (depth) => meanBetween(curve, depth - 0.5, depth + 0.5);
  const widths = (reach) => PROFILE_PARTS.map((part) => sigmaAt(problem, dose, part * reach));
  if (problem.kind === 'photons') {
    const shares = { d5: at(5), d10: at(10), d20: at(20) };
    return { ...shares, ratio: shares.d20 / shares.d10, sigmas: widths(problem.grid.upper[2]) };
  }
  if (problem.kind === 'electrons') {
    const { r50, rp, top } = readElectronEdge(curve) ?? {};
    return { r50, rp, ratio: top / entrance, sigmas: widths(r50) };
  }
  const { r80, r20, top } = readDistalEdge(curve) ?? {};
  // without dose there is no LET: a gap of air has none
  const letAt = (depth) => meanBetween({ centers: curve.centers, values }, depth - 0.5, depth + 0.5) || undefined;
  return { r80, r20, ratio: top / entrance, sigmas: widths(r80), lets: values && [letAt(r80 / 2), letAt(r80 - 0.5)] };
}

/** Share of bins of the reference's map that agree, percent. */
export function gammaRate(problem, reference, evaluated) {
  const { x, z } = axesOf(problem);
  const search = gammaIndex({ centers: [x, z], values: reference }, { centers: [x, z], values: evaluated }, GAMMA);
  for (;;) {
    const { done, value } = search.next();
    if (done) return (100 * value.passed) / value.evaluated;
  }
}
