import { type CommandConfig, SIM_TYPES, type SimType, VERSION_PROBES, type VersionProbe } from '@tally/simulators';
import type { RunnerConfig } from '../config.js';
import type { ProcessLimits } from '../domain/ports.js';

/** How this machine is told to run a simulator's own executable. */
export interface ConfiguredExecutable {
  readonly config: Required<CommandConfig>;
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
      const taskTimeLimitMs = settings[`${simType}TimeLimitMs`];
      const taskMemoryBytesMax = settings[`${simType}MemoryBytesMax`];
      return [
        [
          simType,
          {
            config: { executable, args: settings[`${simType}Args`], env: settings[`${simType}Env`] },
            limits: {
              ...(taskTimeLimitMs === undefined ? {} : { taskTimeLimitMs }),
              ...(taskMemoryBytesMax === undefined ? {} : { taskMemoryBytesMax }),
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
