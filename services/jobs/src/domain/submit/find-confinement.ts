import type { ConfinementName, RunnerStore } from '../ports.js';

/** What the live runners say of how simulators are confined. */
export interface Confinement {
  /** Each once. */
  readonly names: readonly ConfinementName[];
  /** Users' own files are given to no executable: a task may come to any runner, and one refuses them. */
  readonly isRefusingFiles: boolean;
}
export type FindConfinement = () => Promise<Confinement>;

export function createConfinementFinder({ runners }: { readonly runners: RunnerStore }): FindConfinement {
  return async () => {
    const live = await runners.listLive();
    return {
      names: [...new Set(live.flatMap(({ confinement }) => confinement ?? []))].sort(),
      isRefusingFiles: live.some(({ isRefusingFiles }) => isRefusingFiles),
    };
  };
}
