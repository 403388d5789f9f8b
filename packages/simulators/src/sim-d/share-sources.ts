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

/** Larger than the rounding of λ·weight, for weights up to 10¹². */
const ROUNDING = 0.01;
const BISECTIONS = 60;

/** Histories of each source among the first `histories` of the job. */
function countSources(weights: readonly bigint[], histories: bigint): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map(() => 0n);
  const counts = findLeast(weights.map(Number), Number(histories)).map(BigInt);
  const isBefore = (a: number, b: number): boolean => {
    const difference =
      (weights[a] ?? 0n) * (2n * (counts[b] ?? 0n) + 1n) - (weights[b] ?? 0n) * (2n * (counts[a] ?? 0n) + 1n);
    return difference > 0n || (difference === 0n && a < b);
  };
  // the first of the heap is the source with the largest weight / (2·count + 1); of several the first
  const heap = [...weights.keys()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  for (let rest = histories - counts.reduce((sum, count) => sum + count, 0n); rest > 0n; rest -= 1n) {
    const next = heap[0] ?? 0;
    counts[next] = (counts[next] ?? 0n) + 1n;
    sink(heap, isBefore);
  }
  return counts;
}

/** Almost the histories of each source, never more: all those with weight / (2·count + 1) above one limit, 1 / 2λ. */
function findLeast(weights: readonly number[], histories: number): number[] {
  const countsAt = (lambda: number, rounding: number): number[] =>
    weights.map((weight) => Math.max(0, Math.floor(lambda * weight + 0.5 + rounding)));
  const sumAt = (lambda: number): number => countsAt(lambda, ROUNDING).reduce((sum, count) => sum + count, 0);
  let low = 0;
  let high = (histories + weights.length) / weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) <= histories) low = middle;
    else high = middle;
  }
  return countsAt(low, -ROUNDING);
}

/** Moves the first of a binary heap down to its place. */
function sink(heap: number[], isBefore: (a: number, b: number) => boolean): void {
  const moved = heap[0] ?? 0;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] ?? 0, heap[child] ?? 0)) child++;
    const below = heap[child] ?? 0;
    if (!isBefore(below, moved)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = moved;
}
