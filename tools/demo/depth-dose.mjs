// What a physicist reads off a depth-dose curve.

/** Depth behind the peak where the curve has fallen to `level` times its peak; linear between bin centres. */
function depthBehindPeak(depths, doses, peakIndex, level) {
  const wanted = level * doses[peakIndex];
  for (let i = peakIndex; i + 1 < doses.length; i++) {
    if (doses[i] >= wanted && doses[i + 1] < wanted) {
      return depths[i] + ((doses[i] - wanted) / (doses[i] - doses[i + 1])) * (depths[i + 1] - depths[i]);
    }
  }
  return Number.NaN;
}

/**
 * Peak depth, R80 and peak-to-entrance ratio of a depth-dose curve, and the mean relative standard error of the bins
 * above half of the peak. The entrance is the mean of the bins in the first `entranceDepth` of depth.
 */
export function readDepthDose(depths, doses, errors, entranceDepth = 0.5) {
  const peakIndex = doses.indexOf(Math.max(...doses));
  const entrance = doses.filter((_, i) => depths[i] - depths[0] < entranceDepth);
  const high = doses.map((dose, i) => ({ dose, error: errors[i] })).filter(({ dose }) => dose > doses[peakIndex] / 2);
  return {
    peakDepth: depths[peakIndex],
    r80: depthBehindPeak(depths, doses, peakIndex, 0.8),
    peakToEntrance: doses[peakIndex] / (entrance.reduce((sum, dose) => sum + dose, 0) / entrance.length),
    relativeError: high.reduce((sum, { dose, error }) => sum + error / dose, 0) / high.length,
  };
}
