/** The value below which a share of a sorted list lies; NaN of an empty one. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? (sorted[middle - 1] + sorted[middle]) / 2
    : (sorted[Math.floor(middle)] ?? Number.NaN);
}

/** Quantiles of durations in ms. */
export function describeDurations(durations) {
  const sorted = Float64Array.from(durations).sort();
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), maxMs: sorted.at(-1) ?? Number.NaN };
}

/** Three significant digits, or whole numbers from 100 on. */
export function rounded(value) {
  if (!Number.isFinite(value)) return undefined;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
