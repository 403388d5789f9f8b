import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tally/testkit';
import type { TestSuite } from '../fixtures/suite-fixture.js';

const run = promisify(execFile);

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command tally as users have it: installed by npm from the tarball of a release, without the repository. */
export interface InstalledCommand {
  /** Folder of the program, for PATH. */
  readonly bin: string;
  readonly home: string;
  /** Runs the command as a script does: no terminal, a home of its own. */
  readonly tally: (args: readonly string[], input?: string, env?: Record<string, string>) => Promise<Outcome>;
  /** Starts it, to be interrupted. */
  readonly start: (args: readonly string[]) => { readonly child: ChildProcess; readonly outcome: Promise<Outcome> };
  /** Its answer as JSON. */
  readonly json: <T>(...args: string[]) => Promise<T>;
}

/** Makes the tarball and installs it into an empty prefix. */
export async function installCommand(suite: TestSuite): Promise<InstalledCommand> {
  const [packed, prefix, home] = ['packed', 'prefix', 'home'].map((name) => path.join(suite.directory, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home);
  const release = path.join(workspaceRoot(), 'tools/release.mjs');
  const { stdout } = await run(process.execPath, [release, '--cli', packed]);
  // offline: it needs nothing from a registry
  await run('npm', ['install', '--global', '--offline', '--prefix', prefix, stdout.trim()], { cwd: home });
  const bin = path.join(prefix, 'bin');
  const start = (args: readonly string[], input = '', env: Record<string, string> = {}) => {
    const own = { PATH: `${bin}:${process.env.PATH}`, HOME: home, TALLY_URL: suite.gatewayUrl };
    const child = spawn(path.join(bin, 'tally'), args, { cwd: home, env: { ...own, ...env } });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
    child.stdin.end(input);
    const outcome = new Promise<Outcome>((resolve) => child.once('close', (code) => resolve({ code, ...out })));
    return { child, outcome };
  };
  const tally = (args: readonly string[], input?: string, env?: Record<string, string>) =>
    start(args, input, env).outcome;
  return {
    bin,
    home,
    tally,
    start: (args) => start(args),
    json: async <T>(...args: string[]) => JSON.parse((await tally([...args, '--json'])).stdout) as T,
  };
}
