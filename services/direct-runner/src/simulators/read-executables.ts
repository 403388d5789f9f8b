import { installationOf, type ProcessLimits } from '@tally/launcher';
import type { CommandConfig } from '@tally/simulators';
import { SIM_TYPES, type SimType, VERSION_PROBES, type VersionProbe } from '@tally/simulators/run';
import type { SimulatorsSettings } from '../simulator-settings.js';

/** How this machine runs a simulator's own executable. */
export interface ConfiguredExecutable {
  readonly config: Required<CommandConfig>;
  /** What it reads beside the system's own files. */
  readonly readOnlyPaths: readonly string[];
  readonly limits: Partial<ProcessLimits>;
  /** Empty: the executable is asked. */
  readonly version: string;
  readonly probe: VersionProbe;
}

/** Simulators of which the configuration names an executable. */
export function readExecutables(settings: SimulatorsSettings): ReadonlyMap<SimType, ConfiguredExecutable> {
  return new Map(
    SIM_TYPES.flatMap((simType): [SimType, ConfiguredExecutable][] => {
      const found = settings[simType];
      if (found === undefined) return [];
      const { executable, args, env, readOnlyPaths, version, timeLimitMs, memoryBytesMax } = found;
      const probe = VERSION_PROBES[simType];
      const configured = {
        config: { executable, args, env },
        readOnlyPaths: [...installationOf(executable), ...readOnlyPaths],
        limits: {
          ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
          ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
        },
        version,
        probe: { args: found.versionArgs ?? probe.args, pattern: found.versionPattern ?? probe.pattern },
      };
      return [[simType, configured]];
    }),
  );
}
