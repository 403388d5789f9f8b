import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { engineCommandPath } from '@tally/engine';
import { type ThreadPool, ThreadPoolError } from '@tally/service-kit';
import { ConversionError, type DeckFiles, type Executables, findDeckDriver, type SimType } from '@tally/simulators';
import { OutputError } from '@tally/simulators/run';
import type { RunnerConfig } from '../config.js';
import { failureError } from '../domain/errors.js';
import type { DividedDeck, ReadOutput, Simulators } from '../domain/ports.js';
import type { OpenLauncher } from '../process/open-launcher.js';
import { type DivideRequest, divideDeck } from './divide-deck.js';
import { fromAnswer, type ReadAnswer } from './read-answer.js';
import type { ConfiguredExecutable } from './read-executables.js';
import { readOutput } from './read-output.js';
import type { OutputRequest, SimulatorRequest } from './simulator-request.js';

type SimulatorsConfig = Pick<RunnerConfig, 'engineThreads' | 'engineCommand' | 'taskOutputBytesMax'> &
  Pick<OpenLauncher, 'acceptsFiles' | 'requireReady' | 'tools'>;

/**
 * The drivers of packages/simulators, started the way this machine is configured. Whose a deck is decides: it was made
 * for a simulator's own executable or for the built-in engine when the job was submitted.
 * @param configured - of each simulator in `executables`, how it is started
 * @param executables - simulators that can be started here, and their versions
 * @param threads - running simulator-thread.ts
 */
export function createSimulators(
  { engineThreads, engineCommand, taskOutputBytesMax, acceptsFiles, requireReady, tools }: SimulatorsConfig,
  configured: ReadonlyMap<SimType, ConfiguredExecutable>,
  executables: Executables,
  threads: ThreadPool,
): Simulators {
  const builtIn = engineCommandPath();
  const ownScript = tools === undefined ? builtIn : path.join(tools.folder, path.basename(builtIn));
  const script = engineCommand === '' ? ownScript : engineCommand;
  const options = ['--threads', String(engineThreads), '--stop-on-stdin-end'];
  const { executable, args } = tools ?? { executable: process.execPath, args: [] };
  const engine = {
    config: { executable, args: [...args, script, ...options] },
    readOnlyPaths: [process.execPath, script],
    limits: {},
  };
  return {
    requireReady,
    async choose({ simType, inputType }, deck) {
      try {
        const { driver, isOwn } = findDeckDriver(simType, deck, executables);
        if (isOwn && inputType === 'files' && !acceptsFiles) throw failureError('FILES_UNCONFINED');
        const version = executables.get(simType); // of now: a later probe may find another
        const { config, ...terms } = (isOwn ? configured.get(simType) : undefined) ?? engine;
        return {
          ...terms,
          driver,
          async divide({ primaries, firstHistory, seed }, workdir) {
            const share = { primaries, firstHistory, seed };
            const request: DivideRequest = { simType, files: deck, executables, share, config, workdir };
            return isOwn && isLarge(deck) ? divideInThread(threads, request) : divideDeck(request);
          },
          async readOutput(folder, asked) {
            const request = { folder, bytesMax: taskOutputBytesMax, primaries: asked };
            if (!holdsMuch(folder)) return readOutput(driver, request);
            return readInThread(threads, { ...request, choice: { simType, version: isOwn ? version : undefined } });
          },
        };
      } catch (err) {
        if (err instanceof ConversionError) throw failureError('SIMULATOR_UNSUPPORTED', err.message, err);
        throw err;
      }
    },
  };
}

/** Larger decks are divided by a thread, characters: dividing them here would keep the heartbeats of other tasks waiting. */
const THREAD_CHARS_MIN = 128_000;

function isLarge(deck: DeckFiles): boolean {
  return Object.values(deck).reduce((sum, { length }) => sum + length, 0) >= THREAD_CHARS_MIN;
}

async function divideInThread(threads: ThreadPool, divide: DivideRequest): Promise<DividedDeck> {
  try {
    return await threads.run<DividedDeck>({ divide } satisfies SimulatorRequest);
  } catch (err) {
    if (!(err instanceof ThreadPoolError)) throw err;
    throw failureError('DECK_INVALID', `it takes too much ${err.limit} to divide`, err);
  }
}

/** Outputs in folders that hold more are read by a thread, bytes: to read as much text takes some ten milliseconds. */
const THREAD_BYTES_MIN = 500_000;
/** Folders of more entries are not looked through. */
const ENTRIES_MAX = 200;

function holdsMuch(folder: string): boolean {
  const entries = readdirSync(folder);
  if (entries.length > ENTRIES_MAX) return true;
  const sizes = entries.map((name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0) >= THREAD_BYTES_MIN;
}

async function readInThread(threads: ThreadPool, read: OutputRequest): Promise<ReadOutput> {
  try {
    return fromAnswer(await threads.run<ReadAnswer>({ read } satisfies SimulatorRequest));
  } catch (err) {
    if (!(err instanceof ThreadPoolError)) throw err;
    throw new OutputError('UNREADABLE', 'the output', `takes too much ${err.limit} to read`, { cause: err });
  }
}
