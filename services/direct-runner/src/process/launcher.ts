import type { Clock, Logger } from '@tally/service-kit';
import type { Launcher } from '../domain/ports.js';
import { type SpawnSettings, spawnSimulator } from './spawn.js';

/** Starts simulators as children of this process. */
export function createLauncher(settings: SpawnSettings, clock: Clock, logger: Logger): Launcher {
  return {
    start: (folder, { limits, ...started }) =>
      spawnSimulator({
        ...started,
        settings: { ...settings, ...limits },
        attemptId: folder.order.attemptId,
        folder: folder.simulatorPath,
        onStarted: (identity) => folder.noteProcess(identity),
        clock,
        logger: logger.child({ attempt_id: folder.order.attemptId }),
      }),
  };
}
