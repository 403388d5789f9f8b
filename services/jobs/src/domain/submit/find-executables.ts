import type { Executables } from '@tally/simulators';
import type { RunnerStore } from '../ports.js';
import { nameExecutables } from './name-executables.js';

/** Says what the direct platform has executables of. */
export type FindExecutables = () => Promise<Executables>;

/**
 * What an operator has written down, else what runners have ever reported: what a job runs on does not depend on who lives at this moment.
 * @param override - empty: the runners' word counts
 */
export function createExecutableFinder(
  { runners }: { readonly runners: Pick<RunnerStore, 'listExecutables'> },
  override: Executables,
): FindExecutables {
  if (override.size > 0) return async () => override;
  return async () => nameExecutables(await runners.listExecutables());
}
