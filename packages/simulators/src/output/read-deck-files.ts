import type { DeckFiles, OutputFolder } from '../driver.js';

/**
 * A task's deck, read from the folder in which it was run: outputs of some simulators say less than it.
 * @param names - of the deck's files that are read
 */
export async function readDeckFiles(folder: OutputFolder, names: RegExp): Promise<DeckFiles> {
  const files: Record<string, string> = {};
  for (const name of folder.names.filter((candidate) => names.test(candidate))) {
    files[name] = new TextDecoder().decode(await folder.read(name));
  }
  return files;
}
