import { engineCommandPath } from '@tally/engine';
import { ConversionError, findDriver, type SimulatorDriver } from '@tally/simulators';
import { failed } from '../domain/errors.js';
import type { Simulators } from '../domain/ports.js';

export interface SimulatorSettings {
  /** Threads of the engine in each task. */
  readonly engineThreads: number;
  /** Script that stands in for the built-in engine; empty: none. */
  readonly engineCommand: string;
}

/** The drivers of packages/simulators, started the way this machine is configured. */
export function createSimulators({ engineThreads, engineCommand }: SimulatorSettings): Simulators {
  const script = engineCommand === '' ? engineCommandPath() : engineCommand;
  const args = [script, '--threads', String(engineThreads), '--stop-on-stdin-end'];
  return {
    find({ simType, inputType }): SimulatorDriver {
      try {
        return findDriver(simType, inputType);
      } catch (err) {
        if (err instanceof ConversionError) throw failed('SIMULATOR_UNSUPPORTED', err.message, err);
        throw err;
      }
    },
    command: (driver, simulatorPath, deck) =>
      driver.command({ executable: process.execPath, args }, simulatorPath, deck),
  };
}
