import type { Clock, Logger } from '@tally/service-kit';
import type { Launcher } from '../domain/ports.js';
import { followFile } from './follow-file.js';
import { type SpawnSettings, spawnSimulator } from './spawn.js';

/** Starts simulators as children of this process. */
export function createLauncher(settings: SpawnSettings, clock: Clock, logger: Logger): Launcher {
  return {
    start(folder, { command, limits, followedFile, onLine }) {
      const simulation = spawnSimulator(command, {
        settings: { ...settings, ...limits },
        attemptId: folder.order.attemptId,
        folder: folder.simulatorPath,
        onLine,
        onStarted: (identity) => folder.noteProcess(identity),
        clock,
        logger: logger.child({ attempt_id: folder.order.attemptId }),
      });
      if (followedFile === undefined) return simulation;
      const following = followFile(folder.simulatorPath, followedFile, {
        intervalMs: settings.limitCheckMs,
        lineBytesMax: settings.logLineBytesMax,
        clock,
        onLine: (line) => onLine(line, 'followed-file'),
      });
      const ended = simulation.ended.then(async (end) => {
        await following.end();
        return end;
      });
      return { ...simulation, ended };
    },
  };
}
