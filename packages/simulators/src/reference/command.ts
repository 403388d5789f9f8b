import type { Command, CommandConfig } from '../driver.js';
import { OUTPUT_FILE, PROBLEM_FILE, TASK_FILE } from './deck-files.js';

/**
 * `<executable> …args --problem problem.json --task task.json --output output.tally`, all in the task's folder.
 * With the engine's own command: executable is Node, args its `engineCommandPath()`.
 */
export function command({ executable, args = [], env = {} }: CommandConfig, workdir: string): Command {
  const file = (name: string): string => `${workdir}/${name}`;
  return {
    executable,
    args: [...args, '--problem', file(PROBLEM_FILE), '--task', file(TASK_FILE), '--output', file(OUTPUT_FILE)],
    env,
  };
}
