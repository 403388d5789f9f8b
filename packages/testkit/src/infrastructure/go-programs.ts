import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '../workspace-root.js';

/** A program of a Go module that tests use. */
export interface GoProgram {
  /** Folder of the module below packages/testkit: its go.mod and go.sum pin everything. */
  readonly module: string;
  /** What to build there. */
  readonly package: string;
  readonly tags?: readonly string[];
  /** Variables of packages that the linker sets, as the release of the program does. */
  readonly variables?: Readonly<Record<string, string>>;
  /** For an image with nothing else in it: no library of this machine. */
  readonly isStatic?: true;
}

/** Prometheus' own tool, without its service discovery, of which tests need nothing. */
export const PROMTOOL: GoProgram = {
  module: 'promtool',
  package: 'github.com/prometheus/prometheus/cmd/promtool',
  tags: ['remove_all_sd'],
};

/** Kubernetes, on two slow processors that do other things as well. */
const BUILD_TIME_LIMIT_MS = 3_600_000;

/** Where tests keep what they have made or fetched once, outside of the tree. */
export function cacheFolder(...names: readonly string[]): string {
  return path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'tally', ...names);
}

/** The program, built from the Go module proxy into the user's cache; minutes the first time. @returns why there is none */
export async function provideGoProgram(
  goProgram: GoProgram,
): Promise<{ readonly program: string } | { readonly reason: string }> {
  const sources = path.join(workspaceRoot(), 'packages/testkit', goProgram.module);
  const hash = createHash('sha256').update(JSON.stringify(goProgram));
  for (const file of readdirSync(sources).sort()) hash.update(readFileSync(path.join(sources, file)));
  const program = cacheFolder('go', `${goProgram.module}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(program)) return { program };
  if (spawnSync('go', ['version']).status !== 0) return { reason: 'there is no Go to build it with' };
  mkdirSync(path.dirname(program), { recursive: true });
  const half = `${program}.${process.pid}`;
  try {
    const tags = (goProgram.tags ?? []).join();
    const variables = Object.entries(goProgram.variables ?? {}).map(([name, value]) => ` -X ${name}=${value}`);
    const flags = ['-trimpath', '-tags', tags, '-ldflags', `-s -w${variables.join('')}`];
    const env = goProgram.isStatic ? { ...process.env, CGO_ENABLED: '0' } : process.env;
    const args = ['build', ...flags, '-o', half, goProgram.package];
    await promisify(execFile)('go', args, { cwd: sources, env, timeout: BUILD_TIME_LIMIT_MS });
  } catch (err) {
    return { reason: err instanceof Error ? err.message.slice(-200) : String(err) };
  }
  renameSync(half, program);
  return { program };
}
