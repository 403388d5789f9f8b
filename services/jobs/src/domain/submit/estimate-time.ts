/** What a job took: seconds of all its finished tasks, beside those of the model for the same tasks. */
export interface ObservedRun {
  readonly seconds: number;
  readonly modelSeconds: number;
  /** The same project or files by the same user, whatever its seed and primaries. */
  readonly isSame: boolean;
  /** Its {@link Workload.kind} is the same. */
  readonly isAlike: boolean;
}

/** What an estimate rests on, the best first. */
export type EstimateBasis = 'same' | 'alike' | 'engine' | 'model';

/** Seconds; in about two of three cases it takes between `low` and `high`. */
export interface TimeEstimate {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** Standard deviation of the logarithm of time over model where nothing else is known: the same within 15 %, …, a factor of 3. */
const SPREADS: Readonly<Record<EstimateBasis, number>> = { same: 0.15, alike: 0.35, engine: 0.6, model: Math.log(3) };
/** A spread that is expected counts like so many runs. */
const EXPECTED_RUNS = 3;

/**
 * The model's seconds, corrected by what runs took: by the geometric mean of their ratios to the model, of the best runs that
 * there are. The spread is that of the ratios and what is expected of such runs together; the mean of n of them adds 1/n.
 * @param runs - on the same engine
 */
export function estimateTime(
  model: number,
  runs: readonly ObservedRun[],
): TimeEstimate & { readonly basis: EstimateBasis; readonly runCount: number } {
  const { basis, best } = chooseRuns(runs);
  const logs = best.map(({ seconds, modelSeconds }) => Math.log(seconds / modelSeconds));
  const mean = logs.reduce((sum, log) => sum + log, 0) / Math.max(logs.length, 1);
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const variance = (squares + EXPECTED_RUNS * SPREADS[basis] ** 2) / (logs.length + EXPECTED_RUNS);
  const spread = Math.exp(Math.sqrt(variance * (logs.length === 0 ? 1 : 1 + 1 / logs.length)));
  const expected = model * Math.exp(mean);
  return { expected, low: expected / spread, high: expected * spread, basis, runCount: logs.length };
}

function chooseRuns(all: readonly ObservedRun[]): { basis: EstimateBasis; best: readonly ObservedRun[] } {
  const runs = all.filter(({ seconds, modelSeconds }) => seconds > 0 && modelSeconds > 0);
  const same = runs.filter(({ isSame }) => isSame);
  if (same.length > 0) return { basis: 'same', best: same };
  const alike = runs.filter(({ isAlike }) => isAlike);
  if (alike.length > 0) return { basis: 'alike', best: alike };
  return runs.length > 0 ? { basis: 'engine', best: runs } : { basis: 'model', best: [] };
}
