import type { Logger } from '@tally/service-kit';
import type { Executables } from '@tally/simulators';
import type { RunnerStore } from '../ports.js';
import { commonExecutables } from './common-executables.js';

/** Says what the direct platform has executables of, at this moment. */
export type FindExecutables = () => Promise<Executables>;

/**
 * What an operator has written down, else what the live runners have reported.
 * @param override - empty: the runners' word counts
 */
export function createExecutableFinder(
  { runners, logger }: { readonly runners: RunnerStore; readonly logger: Logger },
  override: Executables,
): FindExecutables {
  if (override.size > 0) return async () => override;
  let warnedOf = '';
  return async () => {
    const { executables, inconsistent } = commonExecutables(
      (await runners.listLive()).map((runner) => runner.executables),
    );
    const names = inconsistent.join(', ');
    if (names !== warnedOf && names !== '') {
      logger.warn(
        { simulators: inconsistent },
        'not every runner has an executable of it: the built-in engine is used',
      );
    }
    warnedOf = names;
    return executables;
  };
}
