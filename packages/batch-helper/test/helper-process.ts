import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { workspaceRoot } from '@tally/testkit';

export const BUNDLE = path.join(workspaceRoot(), 'packages/batch-helper/dist/tally-batch-helper.mjs');

/** How the helper ended, and all that it printed. */
export interface HelperEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly printed: string;
}

export interface HelperProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<HelperEnd>;
}

/** Starts the bundled helper as a scheduler would: with an environment of its own, and from any folder. */
export function startHelper(
  args: readonly string[],
  { env = {}, program = BUNDLE, cwd = '/' }: { env?: Record<string, string>; program?: string; cwd?: string } = {},
): HelperProcess {
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<HelperEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, printed }));
  });
  if (child.pid === undefined) throw new Error('the helper could not be started');
  return { pid: child.pid, child, ended };
}

export function runHelper(...args: Parameters<typeof startHelper>): Promise<HelperEnd> {
  return startHelper(...args).ended;
}
