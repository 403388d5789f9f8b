import type { TaskOutput } from '@tally/merge';
import {
  ConversionError,
  createLineTail,
  type DeckFiles,
  describeProcessEnd,
  type ProgressMeter,
  readRunOutput,
  type SimulatorDriver,
} from '@tally/simulators';
import { decideEnd } from './decide-end.js';
import { requireFileNames } from './deck.js';
import { failed, failureOf } from './errors.js';
import type { ChosenSimulator, TaskFolder, TaskPorts } from './ports.js';
import { persist, retryOptions } from './retry.js';
import type { StopCause, TaskEnd } from './task.js';

/** How a simulation ended, and what it gave if it completed. */
export interface Simulated {
  readonly end: TaskEnd;
  readonly output?: TaskOutput;
}

const STOP_TEXTS: Readonly<Record<StopCause, string>> = {
  unwanted: 'the job was cancelled, or another runner has the task',
  'lease-lost': 'the runner has lost touch, and another runner may have the task',
  draining: 'the runner shuts down',
  'time-limit': 'it has run too long',
  'memory-limit': 'it uses too much memory',
  'output-limit': 'it has written too much data',
};

/** Of a failed simulator's standard error, this much is put into the failure's message. */
const ERROR_LINES_MAX = 20;
const ERROR_CHARS_MAX = 2_000;

/**
 * Runs one attempt in its folder: deck, simulator, output. `undefined`: the attempt is not ours any more and nobody is
 * to be told. When it resolves, no process of the attempt is left.
 *
 * @param interrupt - stops the simulator; its `reason` is a {@link StopCause}
 */
export async function simulate(
  ports: TaskPorts,
  folder: TaskFolder,
  meter: ProgressMeter,
  interrupt: AbortSignal,
): Promise<Simulated | undefined> {
  try {
    const deck = await fetchDeck(ports, folder, interrupt);
    if (deck === undefined) return endedBefore(causeOf(interrupt));
    const simulator = ports.simulators.choose(folder.order, deck);
    describeTask(folder, simulator.driver);
    const share = apportion(simulator.driver, deck, folder);
    await folder.writeDeck(share);
    return await runSimulator(ports, folder, { ...simulator, deck: share }, meter, interrupt);
  } catch (err) {
    const known = failureOf(err);
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
  const fetched = await persist(
    () => ports.results.getDeck(order.jobId, signal),
    retryOptions(ports, ports.limits.claimTimeLimitMs, signal, 'deck'),
  );
  switch (fetched.kind) {
    case 'done':
      if (Object.keys(fetched.value).length === 0) throw failed('DECK_UNAVAILABLE', 'it has no files');
      return requireFileNames(fetched.value);
    case 'interrupted':
      return undefined;
    case 'refused':
    case 'expired':
      throw failed('DECK_UNAVAILABLE', '', fetched.err);
  }
}

function apportion(driver: SimulatorDriver, deck: DeckFiles, { order }: TaskFolder): DeckFiles {
  try {
    return driver.apportion(deck, order);
  } catch (err) {
    if (err instanceof ConversionError) throw failed('DECK_INVALID', err.message, err);
    throw err;
  }
}

async function runSimulator(
  ports: TaskPorts,
  folder: TaskFolder,
  { driver, config, limits, deck }: ChosenSimulator & { readonly deck: DeckFiles },
  meter: ProgressMeter,
  interrupt: AbortSignal,
): Promise<Simulated | undefined> {
  const errors = createLineTail(ERROR_LINES_MAX, ERROR_CHARS_MAX);
  const command = driver.command(config, folder.simulatorPath, deck);
  meter.begin();
  const simulation = ports.launcher.start(folder, {
    command,
    limits,
    followedFile: driver.progressFile,
    onLine(printed, source) {
      const line = printed.replaceAll(folder.simulatorPath, '.'); // users need not know where a runner works
      const progress = driver.progress(line);
      if (progress !== undefined) return meter.update(progress.done);
      if (source === 'followed-file') return; // long, and an output of its own
      if (source === 'stderr') errors.add(line);
      folder.log.write(line);
    },
  });
  let stopCause: StopCause | undefined;
  const stopOn = (signal: AbortSignal) => {
    const stop = () => {
      if (stopCause !== undefined) return;
      stopCause = causeOf(signal);
      folder.log.write(`stopping the simulator: ${STOP_TEXTS[stopCause]}`);
      simulation.stop(signal === simulation.limitBroken ? ports.limits.stopGraceMs : ports.limits.cancelGraceMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  };
  const unlisten = [stopOn(simulation.limitBroken), stopOn(interrupt)];
  const process = await simulation.ended;
  for (const stop of unlisten) stop();
  folder.log.write(`the simulator ended: ${describeProcessEnd(process)}`);
  const { output, evidence } = await readRunOutput(driver, process, () => folder.outputFolder());
  const end = decideEnd({
    process,
    stopCause,
    output: evidence,
    primaries: folder.order.primaries,
    errorLines: errors.lines(),
    isRefusal: (exitCode) => driver.isRefusal(exitCode),
  });
  for (const { code, message } of output?.warnings ?? []) folder.log.write(`warning: ${code}: ${message}`);
  if (end?.kind === 'failed') folder.log.write(`${end.reason}: ${end.message}`);
  return end && { end, output: end.kind === 'completed' ? output : undefined };
}

function endedBefore(cause: StopCause): Simulated | undefined {
  return cause === 'draining' ? { end: { kind: 'released' } } : undefined;
}

/** Why a signal that stops simulators was aborted; its reason is always one of ours. */
function causeOf(signal: AbortSignal): StopCause {
  return signal.reason as StopCause;
}
