import type { Command, CommandConfig, DeckFiles } from '../driver.js';
import { findInput } from './cards.js';

/** `<executable> …args -N0 -M1 <file>.inp`, as in `rfluka -N0 -M1 fl_sim.inp`: the first cycle and no other. */
export function command(
  { executable, args = [], env = {} }: CommandConfig,
  _workdir: string,
  files: DeckFiles,
): Command {
  return { executable, args: [...args, '-N0', '-M1', findInput(files)], env };
}
