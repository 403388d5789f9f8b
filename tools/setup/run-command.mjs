import { spawn } from 'node:child_process';
import path from 'node:path';

const OUTPUT_LIMIT_CHARS = 20_000;

/** A command that failed, with the end of what it said. */
export class CommandError extends Error {
  constructor(command, code, output) {
    super(`${command} ended with ${code}\n${output.trim()}`);
    this.name = 'CommandError';
  }
}

/**
 * Runs a command line in a folder, quietly; throws a CommandError with its output if it fails. Finds the programs of
 * installed packages, as `npm run` does. Works before anything is installed.
 */
export async function runCommand(command, { root, cwd = root }) {
  const bins = [path.join(cwd, 'node_modules/.bin'), path.join(root, 'node_modules/.bin')];
  const env = { ...process.env, PATH: [...bins, process.env.PATH].join(path.delimiter) };
  const child = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-OUTPUT_LIMIT_CHARS);
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  if (code !== 0) throw new CommandError(command, code, output);
  return output;
}
