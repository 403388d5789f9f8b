import { engineCommandPath } from '@tally/engine';
import {
  type CommandConfig,
  ConversionError,
  type Executables,
  findDriver,
  SIM_TYPES,
  type SimType,
  type SimulatorDriver,
} from '@tally/simulators';
import type { RunnerConfig } from '../config.js';
import { failed } from '../domain/errors.js';
import type { Simulators } from '../domain/ports.js';

/** How this machine runs one simulator's own executable. */
interface ExecutableSettings extends Required<CommandConfig> {
  /** Empty: not known. */
  readonly version: string;
  /** Absent: as all tasks. */
  readonly taskTimeLimitMs: number | undefined;
  readonly taskMemoryBytesMax: number | undefined;
}

export type SimulatorSettings = Pick<
  RunnerConfig,
  'engineThreads' | 'engineCommand' | (`sim${'A' | 'B' | 'C' | 'D'}${string}` & keyof RunnerConfig)
>;

/**
 * The drivers of packages/simulators, started the way this machine is configured: a simulator's own executable where
 * there is one, the built-in engine for the others.
 */
export function createSimulators(settings: SimulatorSettings): Simulators {
  const configured = readExecutables(settings);
  const executables: Executables = new Map([...configured].map(([simType, { version }]) => [simType, version]));
  const { engineThreads, engineCommand } = settings;
  const script = engineCommand === '' ? engineCommandPath() : engineCommand;
  const engine = {
    executable: process.execPath,
    args: [script, '--threads', String(engineThreads), '--stop-on-stdin-end'],
  };
  return {
    find({ simType, inputType }): SimulatorDriver {
      try {
        return findDriver(simType, inputType, executables);
      } catch (err) {
        if (err instanceof ConversionError) throw failed('SIMULATOR_UNSUPPORTED', err.message, err);
        throw err;
      }
    },
    command: (driver, { simType }, simulatorPath, deck) =>
      driver.command(configured.get(simType) ?? engine, simulatorPath, deck),
    limits({ simType }) {
      const { taskTimeLimitMs, taskMemoryBytesMax } = configured.get(simType) ?? {};
      return {
        ...(taskTimeLimitMs === undefined ? {} : { taskTimeLimitMs }),
        ...(taskMemoryBytesMax === undefined ? {} : { taskMemoryBytesMax }),
      };
    },
  };
}

function readExecutables(settings: SimulatorSettings): ReadonlyMap<SimType, ExecutableSettings> {
  const all = {
    simA: settings.simAExecutable && {
      executable: settings.simAExecutable,
      args: settings.simAArgs,
      env: settings.simAEnv,
      version: settings.simAVersion,
      taskTimeLimitMs: settings.simATimeLimitMs,
      taskMemoryBytesMax: settings.simAMemoryBytesMax,
    },
    simB: settings.simBExecutable && {
      executable: settings.simBExecutable,
      args: settings.simBArgs,
      env: settings.simBEnv,
      version: settings.simBVersion,
      taskTimeLimitMs: settings.simBTimeLimitMs,
      taskMemoryBytesMax: settings.simBMemoryBytesMax,
    },
    simC: settings.simCExecutable && {
      executable: settings.simCExecutable,
      args: settings.simCArgs,
      env: settings.simCEnv,
      version: settings.simCVersion,
      taskTimeLimitMs: settings.simCTimeLimitMs,
      taskMemoryBytesMax: settings.simCMemoryBytesMax,
    },
    simD: settings.simDExecutable && {
      executable: settings.simDExecutable,
      args: settings.simDArgs,
      env: settings.simDEnv,
      version: settings.simDVersion,
      taskTimeLimitMs: settings.simDTimeLimitMs,
      taskMemoryBytesMax: settings.simDMemoryBytesMax,
    },
  } satisfies Record<SimType, ExecutableSettings | ''>;
  return new Map(
    SIM_TYPES.flatMap((simType): [SimType, ExecutableSettings][] => {
      const configured = all[simType];
      return configured === '' ? [] : [[simType, configured]];
    }),
  );
}
