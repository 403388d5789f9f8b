import type { Command, CommandConfig } from '../driver.js';

/**
 * `<executable> …args <folder>`, as in `shieldhit …args <folder>`. The seed stands in the deck, so that there is no
 * `-N`; given in `args`, it only adds its number to the names of the outputs.
 */
export function command({ executable, args = [], env = {} }: CommandConfig, workdir: string): Command {
  return { executable, args: [...args, workdir], env };
}
