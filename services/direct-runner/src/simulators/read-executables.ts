import { installationOf, type ProcessLimits } from '@tally/launcher';
import type { CommandConfig } from '@tally/simulators';
import { SIM_TYPES, type SimType, VERSION_PROBES, type VersionProbe } from '@tally/simulators/run';
import type { RunnerConfig } from '../config.js';

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

/** The part of the configuration that is about simulators. */
export type SimulatorSettings = Pick<RunnerConfig, `sim${'A' | 'B' | 'C' | 'D'}${string}` & keyof RunnerConfig>;

/** Simulators of which the configuration names an executable. */
export function readExecutables(settings: SimulatorSettings): ReadonlyMap<SimType, ConfiguredExecutable> {
  return new Map(
    SIM_TYPES.flatMap((simType): [SimType, ConfiguredExecutable][] => {
      const executable = settings[`${simType}Executable`];
      if (executable === '') return [];
      const probe = VERSION_PROBES[simType];
      const timeLimitMs = settings[`${simType}TimeLimitMs`];
      const memoryBytesMax = settings[`${simType}MemoryBytesMax`];
      return [
        [
          simType,
          {
            config: { executable, args: settings[`${simType}Args`], env: settings[`${simType}Env`] },
            readOnlyPaths: [...installationOf(executable), ...settings[`${simType}Folders`]],
            limits: {
              ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
              ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
            },
            version: settings[`${simType}Version`],
            probe: {
              args: settings[`${simType}VersionArgs`],
              pattern: settings[`${simType}VersionPattern`] ?? probe.pattern,
            },
          },
        ],
      ];
    }),
  );
}
