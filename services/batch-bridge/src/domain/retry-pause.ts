/** Pauses between tries, milliseconds. */
export interface RetryLimits {
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
}

/** How long to wait after the given number of tries: doubles each time up to the longest, shortened by up to half. */
export function retryPauseMs(
  { retryFirstMs, retryMaxMs }: RetryLimits,
  tryCount: number,
  random: () => number = Math.random,
): number {
  const pauseMs = Math.min(retryMaxMs, retryFirstMs * 2 ** Math.min(tryCount, 30));
  return Math.round(pauseMs * (0.5 + random() / 2));
}
