import {
  type CommandConfig,
  ConversionError,
  type DeckFiles,
  type Executables,
  findDeckDriver,
  type SimType,
  type TaskShare,
} from '@tally/simulators';
import { failureError } from '../domain/errors.js';
import type { DividedDeck } from '../domain/ports.js';

/** The deck of a job, and which part of it a task runs where and how; may go to a thread. */
export interface DivideRequest {
  readonly simType: SimType;
  readonly files: DeckFiles;
  readonly executables: Executables;
  readonly share: TaskShare;
  readonly config: CommandConfig;
  readonly workdir: string;
}

/** @throws ServiceError DECK_INVALID */
export function divideDeck({ simType, files, executables, share, config, workdir }: DivideRequest): DividedDeck {
  try {
    const { driver } = findDeckDriver(simType, files, executables);
    const divided = driver.apportion(files, share);
    const command = driver.command(config, workdir, divided);
    return { files: divided, command, events: driver.listEvents?.(divided) };
  } catch (err) {
    if (err instanceof ConversionError) throw failureError('DECK_INVALID', err.message, err);
    throw err;
  }
}
