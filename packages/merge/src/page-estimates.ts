/** A page as codes give it that report no sums: means a primary, and their standard errors where the code knows them. */
export interface PageEstimates {
  readonly values: Float64Array;
  readonly errors: Float64Array | undefined;
}

/** Sums that tasks are merged by, see `MOMENTS`. */
export interface EstimateSums {
  readonly moments: readonly [sum: Float64Array, sumSquares: Float64Array];
}

/**
 * Batches that a task of such a code counts for: so many that the errors it gives speak, and not the scatter of the few
 * tasks.
 */
export const ESTIMATE_BATCHES = 1_000;

/** How pages of them merge. */
export function kindOfEstimates({ errors }: PageEstimates): 'linear' | 'average' {
  return errors === undefined ? 'average' : 'linear';
}

/**
 * The sums from which a task's own means and standard errors come out again. With B batches, n primaries, mean m and standard
 * error e they are n·m and n·(m² + (B−1)·e²). Without errors a task is one batch: the scatter of the tasks is the error.
 */
export function sumsOfEstimates({ values, errors }: PageEstimates, primaries: number): EstimateSums {
  const sum = values.map((mean) => mean * primaries);
  const squares = values.map(
    (mean, bin) => primaries * (mean * mean + (ESTIMATE_BATCHES - 1) * (errors?.[bin] ?? 0) ** 2),
  );
  return { moments: [sum, squares] };
}
