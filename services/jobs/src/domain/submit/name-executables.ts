import type { Executables } from '@tally/simulators';
import { SIMULATORS, type Simulator } from '../job.js';
import type { KnownExecutable } from '../ports.js';

/**
 * Simulators with the versions that jobs may run on now, all of them named where they differ: those of live runners, else the one that
 * was reported last.
 */
export function nameExecutables(known: readonly KnownExecutable[]): Executables {
  const executables = new Map<Simulator, string>();
  for (const name of SIMULATORS) {
    const own = known.filter(({ simulator }) => simulator === name);
    const live = own.filter(({ runnerCount }) => runnerCount > 0);
    const last = own.reduce<KnownExecutable[]>(
      ([latest], one) => [latest === undefined || one.seenAt > latest.seenAt ? one : latest],
      [],
    );
    if (own.length > 0) executables.set(name, joinVersions(live.length > 0 ? live : last));
  }
  return executables;
}

function joinVersions(executables: readonly KnownExecutable[]): string {
  const versions = executables.map(({ version }) => version).filter((version) => version !== '');
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join(' or ');
}
