import type { JobStatus } from '../api/queries.js';

/** How far a job was when it was stopped, 0 … 1; undefined: it was not, or it is not known. */
export function stoppedShare({ stopped, simulated_primaries: done, description }: JobStatus): number | undefined {
  if (stopped !== true || done === undefined) return undefined;
  const asked = description?.requested_primaries;
  return asked === undefined || asked === 0 ? undefined : Math.min(1, done / asked);
}
