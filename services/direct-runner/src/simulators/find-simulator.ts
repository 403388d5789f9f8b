import { engineCommandPath } from '@tally/engine';
import { ConversionError, type Executables, findDeckDriver, type SimType } from '@tally/simulators';
import type { RunnerConfig } from '../config.js';
import { failed } from '../domain/errors.js';
import type { Simulators } from '../domain/ports.js';
import type { ConfiguredExecutable } from './read-executables.js';

/**
 * The drivers of packages/simulators, started the way this machine is configured. Whose a deck is decides: it was made
 * for a simulator's own executable or for the built-in engine when the job was submitted.
 * @param configured - of each simulator in `executables`, how it is started
 * @param executables - simulators that can be started here, and their versions
 */
export function createSimulators(
  { engineThreads, engineCommand }: Pick<RunnerConfig, 'engineThreads' | 'engineCommand'>,
  configured: ReadonlyMap<SimType, ConfiguredExecutable>,
  executables: Executables,
): Simulators {
  const script = engineCommand === '' ? engineCommandPath() : engineCommand;
  const engine = {
    config: {
      executable: process.execPath,
      args: [script, '--threads', String(engineThreads), '--stop-on-stdin-end'],
    },
    limits: {},
  };
  return {
    choose({ simType }, deck) {
      try {
        const { driver, isOwn } = findDeckDriver(simType, deck, executables);
        const { config, limits } = (isOwn ? configured.get(simType) : undefined) ?? engine;
        return { driver, config, limits };
      } catch (err) {
        if (err instanceof ConversionError) throw failed('SIMULATOR_UNSUPPORTED', err.message, err);
        throw err;
      }
    },
  };
}
