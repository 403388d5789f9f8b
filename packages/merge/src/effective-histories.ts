/**
 * The effective number of histories that contribute to a bin: how many histories, each giving the same and all others nothing,
 * would leave the same relative error. With s the share of one history it is (Σ s)²/Σ s² (Kish, Survey Sampling, 1965, 11.7),
 * which by e² = (Σ s²/N − x²)/(N − 1) is N x²/(x² + (N − 1) e²). Of batches of several histories it is an estimate, as
 * their error is one.
 * @param value - mean of all histories, x, times any scale
 * @param error - its standard error, e, times the same; NaN: unknown
 * @param primaries - histories behind both, N
 * @returns 0 to N; NaN where the error is not known
 */
export function effectiveHistories(value: number, error: number, primaries: number): number {
  // 0 of 0: nothing that varies was scored, and nothing is known
  return primaries / (1 + (primaries - 1) * (error / value) ** 2);
}
