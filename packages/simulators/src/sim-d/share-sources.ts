/** Which histories of the job a task runs: [first, first + count). */
export interface HistoryRange {
  readonly first: number;
  readonly count: number;
}

/**
 * How many histories of a task each source gives. Every range has nearly the proportions of the deck, and ranges that
 * make up the whole job have exactly its numbers: history after history goes to the source that is farthest behind
 * (divisor method of Webster and Sainte-Laguë), which depends on nothing but the number of the history.
 * @param weights - histories of each source in the whole job
 */
export function shareSources(weights: readonly number[], { first, count }: HistoryRange): number[] {
  const exact = weights.map(BigInt);
  const before = countSources(exact, BigInt(first));
  return countSources(exact, BigInt(first) + BigInt(count)).map((end, source) => Number(end - (before[source] ?? 0n)));
}

/** Histories of each source among the first `histories` of the job. */
function countSources(weights: readonly bigint[], histories: bigint): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map(() => 0n);
  // the method gives no source fewer than its share less half the number of sources: begin there, not at the beginning
  const counts = weights.map((weight) => {
    const least = (histories * weight) / total - BigInt(weights.length);
    return least > 0n ? least : 0n;
  });
  let rest = histories - counts.reduce((sum, count) => sum + count, 0n);
  for (; rest > 0n; rest -= 1n) {
    const next = findFarthestBehind(weights, counts);
    counts[next] = (counts[next] ?? 0n) + 1n;
  }
  return counts;
}

/** The source with the largest weight / (2·count + 1); of several the first. */
function findFarthestBehind(weights: readonly bigint[], counts: readonly bigint[]): number {
  const divisorOf = (source: number): bigint => 2n * (counts[source] ?? 0n) + 1n;
  return weights.reduce(
    (best, weight, source) => (weight * divisorOf(best) > (weights[best] ?? 0n) * divisorOf(source) ? source : best),
    0,
  );
}
