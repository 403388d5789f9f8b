import type { LaunchedCommand, ProcessIdentity } from '@tally/launcher';
import { currentContext, startSpan, traced } from '@tally/service-kit';
import type { DeckFiles, SimulatorDriver } from '@tally/simulators';
import {
  createLineTail,
  describeProcessEnd,
  type LineTail,
  type ProgressMeter,
  type RunLines,
  readRunLines,
  readRunOutput,
  watchProgress,
} from '@tally/simulators/run';
import { decideEnd } from './decide-end.js';
import { requireFileNames } from './deck.js';
import { failureError, toFailure } from './errors.js';
import type { ChosenSimulator, DividedDeck, ReadOutput, TaskFolder, TaskPorts } from './ports.js';
import { retryTerms, retryToOutcome } from './retry.js';
import type { StopCause, TaskEnd } from './task.js';

/** How a simulation ended, and what it gave if it completed. */
export interface Simulated {
  readonly end: TaskEnd;
  readonly output?: ReadOutput['written'];
}

/** A simulator with what it is to run. */
type ReadySimulator = ChosenSimulator & Pick<DividedDeck, 'command' | 'events'>;

const STOP_TEXTS: Readonly<Record<StopCause, string>> = {
  revoked: 'the job was cancelled, or another runner has the task',
  'lease-lost': 'the runner has lost touch, and another runner may have the task',
  draining: 'the runner shuts down',
  finished: 'the job was stopped, and this simulator has no output before its end',
  'no-progress': 'it has made no progress for too long',
  'time-limit': 'it has run too long',
  'memory-limit': 'it uses too much memory',
  'process-limit': 'it has started too many processes',
  'output-limit': 'it has written too much data',
};

/** Of a failed simulator's standard error, this much is put into the failure's message. */
const ERROR_LINES_MAX = 20;
const ERROR_CHARS_MAX = 2_000;

/**
 * Runs one attempt in its folder: deck, simulator, output. `undefined`: the attempt is not ours any more and nothing
 * is reported. When it resolves, no process of the attempt is left.
 *
 * @param interrupt - stops the simulator; its `reason` is a {@link StopCause}
 * @param finish - ends it early with what it has, where it can; its `reason` is a {@link StopCause}
 * @param onLaunched - hears of the simulator when it has been started
 */
export async function simulate(
  ports: TaskPorts,
  folder: TaskFolder,
  meter: ProgressMeter,
  interrupt: AbortSignal,
  finish: AbortSignal,
  onLaunched: (simulator: LaunchedCommand) => void,
): Promise<Simulated | undefined> {
  try {
    const deck = await fetchDeck(ports, folder, interrupt);
    if (deck === undefined) return endedBefore(causeOf(interrupt));
    const simulator = await ports.simulators.choose(folder.order, deck);
    describeTask(folder, simulator.driver);
    const { files, ...divided } = await simulator.divide(folder.order, folder.simulatorPath);
    await folder.writeDeck(files);
    return await runSimulator(ports, folder, { ...simulator, ...divided }, meter, { interrupt, finish, onLaunched });
  } catch (err) {
    const known = toFailure(err);
    if (known.reason === 'RUNNER_FAULT') ports.logger.error({ err }, 'task failed by a fault of the runner');
    folder.log.write(`${known.reason}: ${known.message}`);
    return { end: { kind: 'failed', ...known } };
  }
}

function describeTask({ log, order }: TaskFolder, driver: SimulatorDriver): void {
  log.write(`engine: ${driver.engine} (asked for: ${order.simType})`);
  log.write(`job ${order.jobId}, task ${order.taskId}, attempt ${order.attempt}`);
  log.write(`primaries: ${order.primaries}, first history: ${order.firstHistory}, seed: ${order.seed}`);
}

async function fetchDeck(ports: TaskPorts, { order }: TaskFolder, signal: AbortSignal): Promise<DeckFiles | undefined> {
  const fetched = await retryToOutcome(
    () => ports.decks.get(order.jobId, signal),
    retryTerms(ports, ports.limits.claimTimeLimitMs, signal, 'deck'),
  );
  switch (fetched.kind) {
    case 'done':
      if (Object.keys(fetched.value).length === 0) throw failureError('DECK_UNAVAILABLE', 'it has no files');
      return requireFileNames(fetched.value);
    case 'interrupted':
      return undefined;
    case 'refused':
    case 'expired':
      throw failureError('DECK_UNAVAILABLE', '', fetched.err);
  }
}

interface RunSignals {
  readonly interrupt: AbortSignal;
  readonly finish: AbortSignal;
  readonly onLaunched: (simulator: LaunchedCommand) => void;
}

async function runSimulator(
  ports: TaskPorts,
  folder: TaskFolder,
  simulator: ReadySimulator,
  meter: ProgressMeter,
  { interrupt, finish, onLaunched }: RunSignals,
): Promise<Simulated | undefined> {
  const { driver } = simulator;
  const errors = createLineTail(ERROR_LINES_MAX, ERROR_CHARS_MAX);
  meter.begin();
  const above = currentContext()?.traceparent;
  const span = startSpan('simulator', 'internal', above, { 'process.executable.name': driver.engine });
  const lines = readRunLines(driver, folder.order.primaries, simulator.events);
  const ready = withTrace(simulator, span?.traceparent ?? above);
  const simulation = startSimulator(ports, folder, ready, { meter, errors, lines });
  onLaunched(simulation);
  const watch = watchProgress(meter, ports.limits.taskStallLimitMs, ports.clock);
  const finishing = finishOnSignal(ports, folder, driver.finishFile, finish, lines);
  const stopping = stopOnSignals(
    ports,
    folder,
    simulation,
    [simulation.limitBroken, watch.stalled],
    [interrupt, finishing.impossible],
  );
  const process = await traced(span, simulation.ended);
  watch.end();
  finishing.end();
  const stopCause = stopping.end();
  folder.log.write(`the simulator ended: ${describeProcessEnd(process)}`);
  const { output, evidence } = await readRunOutput(process, () =>
    simulator.readOutput(folder.simulatorPath, lines.outputPrimaries(finish.aborted)),
  );
  const end = decideEnd({
    process,
    stopCause,
    output: evidence,
    primaries: folder.order.primaries,
    countedPrimaries: lines.countedPrimaries(),
    isFinishedEarly: finish.aborted,
    errorLines: errors.lines(),
    isRefusal: (exitCode) => driver.isRefusal(exitCode),
  });
  for (const { code, message } of output?.warnings ?? []) folder.log.write(`warning: ${code}: ${message}`);
  if (end?.kind === 'failed') folder.log.write(`${end.reason}: ${end.message}`);
  return end && { end, ...(end.kind === 'completed' && output !== undefined && { output: output.written }) };
}

/** A program that traces continues the trace, which is in its environment as OpenTelemetry asks for. */
function withTrace(simulator: ReadySimulator, traceparent: string | undefined): ReadySimulator {
  if (traceparent === undefined) return simulator;
  const { command } = simulator;
  return { ...simulator, command: { ...command, env: { ...command.env, TRACEPARENT: traceparent } } };
}

function startSimulator(
  { launcher, limits, logger }: TaskPorts,
  folder: TaskFolder,
  { driver, command, readOnlyPaths, limits: ownLimits }: ReadySimulator,
  { meter, errors, lines }: { readonly meter: ProgressMeter; readonly errors: LineTail; readonly lines: RunLines },
): LaunchedCommand {
  return launcher.launch({
    command,
    attemptId: folder.order.attemptId,
    folder: folder.simulatorPath,
    readOnlyPaths,
    limits: {
      timeLimitMs: limits.taskTimeLimitMs,
      memoryBytesMax: limits.taskMemoryBytesMax,
      processCountMax: limits.taskProcessesMax,
      folderBytesMax: limits.taskOutputBytesMax,
      ...ownLimits,
    },
    lineBytesMax: limits.logLineBytesMax,
    followedFile: driver.progressFile,
    onLine(printed, source) {
      const line = printed.replaceAll(folder.simulatorPath, '.'); // users need not know where a runner works
      const done = lines.read(line);
      if (done !== undefined) return meter.update(done);
      if (source === 'followed-file') return; // long, and an output of its own
      if (source === 'stderr') errors.add(line);
      folder.log.write(line);
    },
    onStarted: (identity) => recordProcess(logger, folder, identity),
    onFault: (err) => logger.error({ err }, 'processes of a simulator do not end'),
  });
}

/** Tells a simulator that can end early to do so; `impossible` is aborted at that moment where it cannot. */
function finishOnSignal(
  { logger }: TaskPorts,
  folder: TaskFolder,
  finishFile: string | undefined,
  finish: AbortSignal,
  lines: RunLines,
): { readonly impossible: AbortSignal; end(): void } {
  const impossible = new AbortController();
  const tell = () => {
    if (finishFile === undefined || !lines.canFinish()) return impossible.abort(finish.reason);
    folder.log.write('the job was stopped: the simulator ends with what it has simulated');
    try {
      folder.addFile(finishFile);
    } catch (err) {
      logger.error({ err }, 'a simulator cannot be told to end early'); // it goes on to its end
    }
  };
  if (finish.aborted) tell();
  else finish.addEventListener('abort', tell, { once: true });
  return { impossible: impossible.signal, end: () => finish.removeEventListener('abort', tell) };
}

/** Stops the simulator when a limit is broken or the task interrupted; `end` gives the first cause, if any. */
function stopOnSignals(
  { limits }: TaskPorts,
  { log }: TaskFolder,
  simulation: LaunchedCommand,
  limitsBroken: readonly AbortSignal[],
  interrupts: readonly AbortSignal[],
): { end(): StopCause | undefined } {
  let cause: StopCause | undefined;
  const stopOn = (signal: AbortSignal, graceMs: number) => {
    const stop = () => {
      if (cause !== undefined) return;
      cause = causeOf(signal);
      log.write(`stopping the simulator: ${STOP_TEXTS[cause]}`);
      simulation.stop(graceMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  };
  const unlisten = [
    ...limitsBroken.map((broken) => stopOn(broken, limits.stopGraceMs)),
    ...interrupts.map((interrupt) => stopOn(interrupt, limits.cancelGraceMs)), // its output is not needed
  ];
  return {
    end() {
      for (const stop of unlisten) stop();
      return cause;
    },
  };
}

function recordProcess(logger: TaskPorts['logger'], folder: TaskFolder, identity: ProcessIdentity): void {
  try {
    folder.recordProcess(identity);
  } catch (err) {
    logger.warn({ err }, 'process could not be recorded'); // after a crash it is still found by its environment
  }
}

function endedBefore(cause: StopCause): Simulated | undefined {
  return cause === 'draining' ? { end: { kind: 'released' } } : undefined;
}

/** Why a signal that stops simulators was aborted; its reason is always one of ours. */
function causeOf(signal: AbortSignal): StopCause {
  return signal.reason as StopCause;
}
