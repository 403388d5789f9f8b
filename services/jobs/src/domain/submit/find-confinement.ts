import type { Simulator } from '../job.js';
import type { ConfinementName, RunnerStore } from '../ports.js';

/** What the live runners say of how simulators are confined. */
export interface Confinement {
  /** Each once. */
  readonly names: readonly ConfinementName[];
  /** Simulators that users' own files are not given to: a task may come to any runner that has its simulator (ADR 24), and one refuses them. */
  readonly refusingFiles: ReadonlySet<Simulator>;
}
export type FindConfinement = () => Promise<Confinement>;

export function createConfinementFinder({ runners }: { readonly runners: RunnerStore }): FindConfinement {
  return async () => {
    const live = await runners.listLive();
    return {
      names: [...new Set(live.flatMap(({ confinement }) => confinement ?? []))].sort(),
      refusingFiles: new Set(
        live.flatMap(({ isRefusingFiles, executables }) => (isRefusingFiles ? [...executables.keys()] : [])),
      ),
    };
  };
}
