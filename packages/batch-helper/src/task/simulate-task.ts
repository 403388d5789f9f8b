import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Launcher, type LogFile, openOutputFolder } from '@tally/launcher';
import type { TaskOutput } from '@tally/merge';
import { systemClock } from '@tally/service-kit/clock';
import {
  type CommandConfig,
  createLineTail,
  type DeckFiles,
  describeProcessEnd,
  findDeckDriver,
  judgeRun,
  type ProcessEnd,
  type ProgressMeter,
  type RunEnd,
  readRunOutput,
  type SimulatorDriver,
} from '@tally/simulators';
import type { BatchJob, BatchTaskShare } from '../folder/batch-job.js';
import { causeOf, STOP_FAILURES } from './stop-cause.js';

export interface Simulation {
  readonly launcher: Launcher;
  readonly job: BatchJob;
  readonly share: BatchTaskShare;
  /** Names this run to the processes that it starts; unique on the node. */
  readonly runId: string;
  /** Absolute path of an empty folder. */
  readonly workFolder: string;
  /** How this program is started as the built-in engine. */
  readonly engine: CommandConfig;
  readonly deck: DeckFiles;
  readonly log: LogFile;
  readonly meter: ProgressMeter;
  /** Stops the simulator; its reason is a `StopCause`. */
  readonly stop: AbortSignal;
}

/** How a simulation ended; the output only where it completed. */
export interface Simulated {
  readonly end: { readonly kind: 'completed' } | { readonly kind: 'failed'; readonly message: string };
  readonly output?: TaskOutput;
}

const LINE_BYTES_MAX = 64 * 1024;
const ERROR_LINES_MAX = 20;
const ERROR_CHARS_MAX = 1_500;
/** A scheduler signals all processes of a task at once; the simulator's end may be seen before our own signal. */
const OWN_SIGNAL_WAIT_MS = 1_000;
const TERMINATED_EXIT_CODE = 143;

/**
 * Runs one task in its folder: deck, simulator, output. When it resolves, no process of it is left.
 * @throws ConversionError for a deck that cannot be run or divided, and what the file system throws
 */
export async function simulateTask(simulation: Simulation): Promise<Simulated> {
  const { job, share, deck, log, workFolder } = simulation;
  const executables = new Map(job.simulator === null ? [] : [[job.simType, job.simulator.version]]);
  const { driver, isOwn } = findDeckDriver(job.simType, deck, executables);
  log.write(`engine: ${driver.engine} (asked for: ${job.simType})`);
  log.write(`primaries: ${share.primaries}, first history: ${share.firstHistory}, seed: ${job.seed}`);
  const taskDeck = driver.apportion(deck, { ...share, seed: job.seed });
  for (const [name, text] of Object.entries(taskDeck)) {
    await writeFile(path.join(workFolder, name), text, { flag: 'wx', mode: 0o600 });
  }
  const config = isOwn && job.simulator !== null ? job.simulator : simulation.engine;
  const errors = createLineTail(ERROR_LINES_MAX, ERROR_CHARS_MAX);
  const process = await runCommand(simulation, driver, config, taskDeck, (line) => errors.add(line));
  log.write(`the simulator ended: ${describeProcessEnd(process)}`);
  await awaitOwnSignal(process, simulation.stop);
  const openFolder = () => openOutputFolder(workFolder, job.limits.outputBytesMax);
  const { output, evidence } = await readRunOutput(driver, process, openFolder);
  for (const { code, message } of output?.warnings ?? []) log.write(`warning: ${code}: ${message}`);
  const isRefusal = (exitCode: number) => driver.isRefusal(exitCode);
  const { primaries } = share;
  const end = judgeRun({ process, output: evidence, primaries, errorLines: errors.lines(), isRefusal });
  return { end: settle(end, simulation.stop), ...(end.kind === 'completed' ? { output } : {}) };
}

/** A run that has finished just before it was stopped has finished. */
function settle(end: RunEnd, stop: AbortSignal): Simulated['end'] {
  const cause = causeOf(stop);
  if (end.kind === 'completed' || cause === undefined) return end;
  return { kind: 'failed', message: STOP_FAILURES[cause] };
}

async function runCommand(
  { launcher, job, runId, workFolder, log, meter, stop }: Simulation,
  driver: SimulatorDriver,
  config: CommandConfig,
  deck: DeckFiles,
  onErrorLine: (line: string) => void,
): Promise<ProcessEnd> {
  const cause = causeOf(stop);
  if (cause !== undefined) return { kind: 'unstartable', message: STOP_FAILURES[cause] };
  meter.begin();
  const launched = launcher.launch({
    command: driver.command(config, workFolder, deck),
    attemptId: runId,
    folder: workFolder,
    lineBytesMax: LINE_BYTES_MAX,
    followedFile: driver.progressFile,
    onLine(printed, source) {
      const line = printed.replaceAll(workFolder, '.'); // users need not know where their tasks work
      const progress = driver.progress(line);
      if (progress !== undefined) return meter.update(progress.done);
      if (source === 'followed-file') return; // long, and an output of its own
      if (source === 'stderr') onErrorLine(line);
      log.write(line);
    },
    onFault: (err) => log.write(`processes of the simulator do not end: ${String(err)}`),
  });
  const stopSimulator = () => {
    log.write(`stopping the simulator: ${STOP_FAILURES[causeOf(stop) ?? 'scheduler']}`);
    launched.stop(job.limits.stopGraceMs);
  };
  stop.addEventListener('abort', stopSimulator, { once: true });
  try {
    return await launched.ended;
  } finally {
    stop.removeEventListener('abort', stopSimulator);
  }
}

async function awaitOwnSignal(process: ProcessEnd, stop: AbortSignal): Promise<void> {
  const isTerminated =
    (process.kind === 'signalled' && process.signal === 'SIGTERM') ||
    (process.kind === 'exited' && process.exitCode === TERMINATED_EXIT_CODE);
  if (isTerminated) await systemClock.sleep(OWN_SIGNAL_WAIT_MS, stop);
}
