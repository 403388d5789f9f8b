import type { Executables } from '@tally/simulators';
import { fail } from '../errors.js';
import type { Simulator, Warning } from '../job.js';

/** What becomes of submissions for a simulator that is not there: refused, or computed by the built-in engine, with or without a warning. */
export type BuiltInEngineUse = 'refuse' | 'warn' | 'allow';
/** `auto`: refused where there is, or ever was, any simulator; elsewhere the built-in engine is all there is, and is warned of. */
export const BUILT_IN_ENGINE_SETTINGS = ['auto', 'refuse', 'warn', 'allow'] as const;
export type BuiltInEngineSetting = (typeof BUILT_IN_ENGINE_SETTINGS)[number];

/** @param hasSimulators - this deployment has, or ever had, an executable of any simulator */
export function decideUse(setting: BuiltInEngineSetting, hasSimulators: boolean): BuiltInEngineUse {
  if (setting !== 'auto') return setting;
  return hasSimulators ? 'refuse' : 'warn';
}

/** Whether a simulator computes here, itself or by the built-in engine. */
export const isOffered = (simulator: Simulator, executables: Executables, use: BuiltInEngineUse): boolean =>
  executables.has(simulator) || use !== 'refuse';

/**
 * What is to be said of the built-in engine in place of a simulator.
 * @param place - where the job is to run, for people
 * @throws ServiceError SIMULATOR_UNAVAILABLE
 */
export function warnOfBuiltInEngine(
  simulator: Simulator,
  executables: Executables,
  use: BuiltInEngineUse,
  place: string,
): readonly Warning[] {
  if (executables.has(simulator) || use === 'allow') return [];
  if (use === 'warn') {
    const message = `${simulator} is not installed ${place}: the built-in engine computes this job`;
    return [{ code: 'SIMULATOR_REPLACED', message }];
  }
  const others = executables.size === 0 ? '' : `; there are ${[...executables.keys()].join(', ')}`;
  throw fail('SIMULATOR_UNAVAILABLE', {
    message: `${simulator} is not installed ${place}, and the built-in engine does not stand in for it${others}`,
    fields: [{ field: '/sim_type', message: `is not installed ${place}` }],
  });
}
