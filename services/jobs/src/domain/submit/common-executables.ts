import type { Executables } from '@tally/simulators';
import { SIMULATORS, type Simulator } from '../job.js';

/** What the runners of a deployment have in common. */
export interface CommonExecutables {
  /** Simulators that every runner has an executable of. */
  readonly executables: Executables;
  /** Simulators that some have and others have not: the built-in engine stands in for them. */
  readonly inconsistent: readonly Simulator[];
}

/**
 * A task may come to any runner, so that a simulator counts only where all have it. Where their versions differ, all of
 * them are named: results come from a mixture.
 * @param runners - of each live runner; none live: nothing is agreed on
 */
export function commonExecutables(runners: readonly Executables[]): CommonExecutables {
  const executables = new Map<Simulator, string>();
  const inconsistent: Simulator[] = [];
  for (const simulator of SIMULATORS) {
    const versions = runners.flatMap((runner) => runner.get(simulator) ?? []);
    if (versions.length === 0) continue;
    if (versions.length < runners.length) inconsistent.push(simulator);
    else executables.set(simulator, nameVersions(versions));
  }
  return { executables, inconsistent };
}

function nameVersions(versions: readonly string[]): string {
  const known = [...new Set(versions)].filter((version) => version !== '');
  return known.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join(' or ');
}
