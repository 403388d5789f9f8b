/**
 * Pause after so many failed attempts before, milliseconds: doubles each time up to the longest, shortened by up to half, so
 * that many who failed together do not come again together.
 */
export function backoffMs(firstMs: number, maxMs: number, attemptCount: number, random = Math.random): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** Math.min(attemptCount, 30)) * (0.5 + random() / 2));
}
