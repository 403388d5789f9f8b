import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { identifyProcess, launch } from '@tally/launcher';
import type { Clock, Logger } from '@tally/service-kit';
import type { Simulation, StartedCommand, TaskFolder } from '../domain/ports.js';
import { type TaskLimits, watchLimits } from './limits.js';

export interface SpawnSettings extends TaskLimits {
  readonly processNiceness: number;
  readonly logLineBytesMax: number;
}

export interface SpawnOptions extends Pick<StartedCommand, 'command' | 'followedFile' | 'onLine'> {
  readonly settings: SpawnSettings;
  readonly attemptId: string;
  /** Working folder of the process. */
  readonly folder: string;
  /** Called at once after the start; not where there is no /proc. */
  readonly onStarted: TaskFolder['noteProcess'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The kernel ends the simulator before any service when memory runs out (proc(5), oom_score_adj, at most 1000). */
const OOM_SCORE_ADJ = '800';

/** Starts a simulator with a low priority and watches its limits. */
export function spawnSimulator(options: SpawnOptions): Simulation {
  const { command, attemptId, folder, settings, followedFile, onLine, clock, logger } = options;
  const launched = launch(command, {
    attemptId,
    folder,
    lineBytesMax: settings.logLineBytesMax,
    followed: followedFile && { pattern: followedFile, intervalMs: settings.limitCheckMs },
    onLine,
    onFault: (err) => logger.error({ err }, 'processes of a simulator do not end'),
  });
  const { pid, exited } = launched;
  if (pid === undefined) return { ...launched, limitBroken: new AbortController().signal };
  note(pid, options);
  lowerPriority(pid, settings.processNiceness);
  const limits = watchLimits(settings, pid, folder, clock);
  void exited.then(() => limits.end());
  return { ...launched, limitBroken: limits.broken };
}

function note(pid: number, { onStarted, logger }: SpawnOptions): void {
  const identity = identifyProcess(pid);
  if (identity === undefined) return;
  try {
    onStarted(identity);
  } catch (err) {
    logger.warn({ err }, 'process could not be noted'); // after a crash it is still found by its environment
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE_ADJ);
  } catch {
    // it has ended already, or this system has no such thing: it runs all the same
  }
}
