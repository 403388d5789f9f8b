import type { Command, CommandConfig } from '../driver.js';
import { FINISH_FILE, OUTPUT_FILE, PROBLEM_FILE, TASK_FILE } from './deck-files.js';

/**
 * `<executable> …args --problem problem.json --task task.json --output output.tally
 * --finish-file finish`, all in the task's folder.
 * With the engine's own command: executable is Node, args its `engineCommandPath()`.
 */
export function command({ executable, args = [], env = {} }: CommandConfig, workdir: string): Command {
  const file = (name: string): string => `${workdir}/${name}`;
  const files = ['--problem', file(PROBLEM_FILE), '--task', file(TASK_FILE), '--output', file(OUTPUT_FILE)];
  return { executable, args: [...args, ...files, '--finish-file', file(FINISH_FILE)], env };
}
