import type { Command, CommandConfig, DeckFiles } from '../driver.js';
import { findMain } from './parameters/parameter-table.js';

/** `<executable> …args <file>.txt`, as in `topas topas_config.txt`; `env` names the data, `TOPAS_G4_DATA_DIR`. */
export function command(
  { executable, args = [], env = {} }: CommandConfig,
  _workdir: string,
  files: DeckFiles,
): Command {
  return { executable, args: [...args, findMain(files)], env };
}
