import type { Command, CommandConfig, DeckFiles } from '../driver.js';
import { findGeometry } from './apportion.js';
import { findMacro } from './macro/find-run.js';

/**
 * `<executable> …args --gdml <file>.gdml --macro <file>.mac --threads 1`: there is no ready program that runs the pair,
 * so that a deployment brings its own; docs/simulators.md says what it must do. The seeds stand in the macro.
 */
export function command(
  { executable, args = [], env = {} }: CommandConfig,
  _workdir: string,
  files: DeckFiles,
): Command {
  const deck = ['--gdml', findGeometry(files), '--macro', findMacro(files)];
  return { executable, args: [...args, ...deck, '--threads', '1'], env };
}
