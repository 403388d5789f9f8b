import type { Executables, SimType } from '@tally/simulators';
import type { RunnerConfig } from '../config.js';
import { failureError } from '../domain/errors.js';
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
  const load = async () => {
    // the drivers of all simulators take more memory than the rest of an idle runner: they are loaded with its first task
    const [{ ConversionError, findDeckDriver }, { engineCommandPath }] = await Promise.all([
      import('@tally/simulators'),
      import('@tally/engine'),
    ]);
    const script = engineCommand === '' ? engineCommandPath() : engineCommand;
    const args = [script, '--threads', String(engineThreads), '--stop-on-stdin-end'];
    const engine = { config: { executable: process.execPath, args }, limits: {} };
    return { ConversionError, findDeckDriver, engine };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return {
    async choose({ simType }, deck) {
      loaded ??= load();
      const { ConversionError, findDeckDriver, engine } = await loaded;
      try {
        const { driver, isOwn } = findDeckDriver(simType, deck, executables);
        const { config, limits } = (isOwn ? configured.get(simType) : undefined) ?? engine;
        return { driver, config, limits };
      } catch (err) {
        if (err instanceof ConversionError) throw failureError('SIMULATOR_UNSUPPORTED', err.message, err);
        throw err;
      }
    },
  };
}
