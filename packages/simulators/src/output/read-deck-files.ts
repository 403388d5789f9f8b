import { ConversionError } from '../conversion-error.js';
import type { DeckFiles, OutputFolder } from '../driver.js';
import { OutputError } from '../output-error.js';

/**
 * What a task's deck says, read from the folder in which it was run: outputs of some simulators do not say how many
 * histories they stand for.
 * @param suffix - of the deck's files that are read
 * @throws OutputError `UNREADABLE` when the deck is not there any more
 */
export async function readDeckFiles<Value>(
  folder: OutputFolder,
  suffix: string,
  read: (files: DeckFiles) => Value,
): Promise<Value> {
  const files: Record<string, string> = {};
  for (const name of folder.names.filter((candidate) => candidate.endsWith(suffix))) {
    files[name] = new TextDecoder().decode(await folder.read(name));
  }
  try {
    return read(files);
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    throw new OutputError('UNREADABLE', `*${suffix}`, `the deck is not what was run: ${err.message}`, { cause: err });
  }
}
