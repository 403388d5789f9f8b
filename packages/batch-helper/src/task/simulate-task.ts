import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLauncher, type Launcher, type LogFile, openOutputFolder } from '@tally/launcher';
import type { TaskOutput } from '@tally/merge';
import { systemClock } from '@tally/service-kit/clock';
import {
  type Command,
  type CommandConfig,
  createLineTail,
  createProgressMeter,
  type DeckFiles,
  describeProcessEnd,
  findDeckDriver,
  judgeRun,
  type ProcessEnd,
  type ProgressMeter,
  type RunEnd,
  type RunLines,
  readRunLines,
  readRunOutput,
  type SimulatorDriver,
  watchProgress,
} from '@tally/simulators';
import type { BatchJob, BatchTaskShare } from '../folder/batch-job.js';
import { openConfinement, pathsOf } from './open-confinement.js';
import { causeOf, STOP_FAILURES, type StopCause } from './stop-cause.js';

export interface Simulation {
  /** Absolute path of the job's folder. */
  readonly jobFolder: string;
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
  /** Ends the simulator early, with what it has simulated. */
  readonly finish: AbortSignal;
}

/** How a simulation ended; the output only where it completed. */
export interface Simulated {
  readonly end:
    | { readonly kind: 'completed'; readonly simulatedPrimaries: number }
    | { readonly kind: 'failed'; readonly code: string; readonly message: string };
  readonly output?: TaskOutput;
}

/** Code of the failure of a task whose simulator was stopped because it told no progress for too long. */
export const STALLED = 'TASK_STALLED';
/** How often a file is looked at into which a simulator writes its progress. */
const FOLLOW_INTERVAL_MS = 1_000;
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
  const { note, ...confined } = await openConfinement(job, simulation.jobFolder, share.taskId, isOwn);
  log.write(`confinement: ${note}`);
  const launcher = createLauncher({ checkIntervalMs: FOLLOW_INTERVAL_MS, ...confined });
  const errors = createLineTail(ERROR_LINES_MAX, ERROR_CHARS_MAX);
  const ownMeter = createProgressMeter(share.primaries, () => performance.now()); // that of the task is further in a retry
  const watch = watchProgress(ownMeter, job.limits.stallLimitMs, systemClock);
  const stop = AbortSignal.any([simulation.stop, watch.stalled]);
  const lines = readRunLines(driver, share.primaries, driver.listEvents?.(taskDeck));
  const readProgress = (line: string) => {
    const done = lines.read(line);
    if (done === undefined) return false;
    ownMeter.update(done);
    simulation.meter.update(done);
    return true;
  };
  const onErrorLine = (line: string) => errors.add(line);
  const config = isOwn && job.simulator !== null ? job.simulator : simulation.engine;
  const run = {
    launcher,
    driver,
    config,
    wrapper: isOwn ? job.confinement.wrapper : [],
    deck: taskDeck,
    lines,
    readProgress,
    onErrorLine,
  };
  const process = await runCommand({ ...simulation, stop }, run).finally(() => watch.end());
  log.write(`the simulator ended: ${describeProcessEnd(process)}`);
  await awaitOwnSignal(process, stop);
  const { primaries } = share;
  const isFinishedEarly = simulation.finish.aborted;
  const { output, evidence } = await readRunOutput(process, async () =>
    driver.outputs(
      await openOutputFolder(workFolder, job.limits.outputBytesMax),
      lines.outputPrimaries(isFinishedEarly),
    ),
  );
  for (const { code, message } of output?.warnings ?? []) log.write(`warning: ${code}: ${message}`);
  const isRefusal = (exitCode: number) => driver.isRefusal(exitCode);
  const end = judgeRun({
    process,
    output: evidence,
    primaries,
    countedPrimaries: lines.countedPrimaries(),
    isFinishedEarly,
    errorLines: errors.lines(),
    isRefusal,
  });
  const cause = isFinishedEarly ? (causeOf(stop) ?? 'finished') : causeOf(stop);
  return { end: settle(end, cause), ...(end.kind === 'completed' ? { output } : {}) };
}

/** A run that has finished just before it was stopped has finished. */
function settle(end: RunEnd, cause: StopCause | undefined): Simulated['end'] {
  if (end.kind === 'completed') return end;
  if (cause === undefined) return { kind: 'failed', code: end.fault, message: end.message };
  return { kind: 'failed', code: cause === 'no-progress' ? STALLED : 'SCHEDULER_ENDED', message: STOP_FAILURES[cause] };
}

interface SimulatorRun {
  readonly launcher: Launcher;
  readonly driver: SimulatorDriver;
  readonly config: CommandConfig;
  /** Before it; see {@link BatchJob}. */
  readonly wrapper: readonly string[];
  /** Of this task. */
  readonly deck: DeckFiles;
  readonly lines: RunLines;
  /** Whether the line was one of progress. */
  readonly readProgress: (line: string) => boolean;
  readonly onErrorLine: (line: string) => void;
}

async function runCommand(
  { job, runId, workFolder, log, meter, stop, finish }: Simulation,
  { launcher, driver, config, wrapper, deck, lines, readProgress, onErrorLine }: SimulatorRun,
): Promise<ProcessEnd> {
  const cause = causeOf(stop);
  if (cause !== undefined) return { kind: 'unstartable', message: STOP_FAILURES[cause] };
  meter.begin();
  const launched = launcher.launch({
    command: wrapCommand(driver.command(config, workFolder, deck), wrapper, workFolder),
    readOnlyPaths: [...pathsOf({ args: [], env: {}, ...config }), ...job.confinement.readOnlyPaths],
    attemptId: runId,
    folder: workFolder,
    lineBytesMax: LINE_BYTES_MAX,
    followedFile: driver.progressFile,
    onLine(printed, source) {
      const line = printed.replaceAll(workFolder, '.'); // users need not know where their tasks work
      if (readProgress(line)) return;
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
  const finishSimulator = () => {
    log.write('the job was stopped: what is simulated by now is handed over');
    if (driver.finishFile === undefined || !lines.canFinish()) launched.stop(job.limits.stopGraceMs);
    else writeFile(path.join(workFolder, driver.finishFile), '').catch((err: unknown) => log.write(String(err)));
  };
  stop.addEventListener('abort', stopSimulator, { once: true });
  if (finish.aborted) finishSimulator();
  else finish.addEventListener('abort', finishSimulator, { once: true });
  try {
    return await launched.ended;
  } finally {
    stop.removeEventListener('abort', stopSimulator);
    finish.removeEventListener('abort', finishSimulator);
  }
}

/** The command, started by what the site confines it with. */
function wrapCommand(command: Command, wrapper: readonly string[], folder: string): Command {
  const [executable, ...args] = wrapper.map((argument) => argument.replaceAll('{folder}', folder));
  return executable === undefined ? command : { ...command, executable, args: [...args, command.executable, ...command.args] }; // biome-ignore format: one line
}

async function awaitOwnSignal(process: ProcessEnd, stop: AbortSignal): Promise<void> {
  const isTerminated =
    (process.kind === 'signalled' && process.signal === 'SIGTERM') ||
    (process.kind === 'exited' && process.exitCode === TERMINATED_EXIT_CODE);
  if (isTerminated) await systemClock.sleep(OWN_SIGNAL_WAIT_MS, stop);
}
