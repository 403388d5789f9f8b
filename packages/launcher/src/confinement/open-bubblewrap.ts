import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { describeProcessEnd } from '@tally/simulators/run';
import { createLauncher, type Launcher } from '../process/launcher.js';
import type { ProcessHost } from '../process/process-host.js';
import { type BubblewrapOptions, createBubblewrap, PRLIMIT } from './bubblewrap.js';
import type { Confinement } from './confinement.js';

export interface OpenBubblewrapOptions extends Pick<BubblewrapOptions, 'temporaryBytesMax'> {
  readonly host: ProcessHost;
  /** A folder of this user's, which commands do not see; one is tried in a folder below it. */
  readonly workDir: string;
  /** Folders that stay hidden, though a path that a command reads may lie above them; left out: `workDir`. */
  readonly hiddenFolders?: readonly string[];
  /** Where programs are looked for. */
  readonly searchPath?: string;
}

const PROGRAM = 'bwrap';
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';
const PROBE_TIMEOUT_MS = 10_000;
const LINE_BYTES_MAX = 1_000;
/** The first that counts processes by namespace of users. */
const COUNTING_KERNEL = [5, 14] as const;
/** The first with --disable-userns. */
const DISABLING_VERSION = [0, 8] as const;
/** Writes into its folder, and must neither see what is hidden nor write elsewhere nor hold a capability. */
const PROBE = `
  set -e
  echo confined > probe
  [ ! -e "$1" ]
  if (echo > /usr/tally-probe) 2> /dev/null; then exit 3; fi
  if (echo > /tally-probe) 2> /dev/null; then exit 4; fi
  grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status
  grep -q '^NoNewPrivs:[[:space:]]*1$' /proc/self/status`;

/**
 * Confinement by bubblewrap, after a command has really run in it. Else the reason why there is none, for people.
 */
export async function openBubblewrap(
  options: OpenBubblewrapOptions,
): Promise<Confinement | { readonly fault: string }> {
  const executable = findProgram(options.searchPath ?? SEARCH_PATH);
  if (executable === undefined) return { fault: `${PROGRAM} is not installed (Debian: apt-get install bubblewrap)` };
  const folder = mkdtempSync(path.join(options.workDir, 'probe-'));
  const hidden = `${folder}.hidden`;
  try {
    writeFileSync(hidden, 'of another task');
    const plain = createLauncher({ host: options.host, checkIntervalMs: PROBE_TIMEOUT_MS });
    const [version = ''] = (await run(plain, folder, executable, ['--version'])).lines;
    const canDisableNamespaces = isAtLeast(version, DISABLING_VERSION);
    const { temporaryBytesMax, workDir } = options;
    const confinement = createBubblewrap({
      executable,
      temporaryBytesMax,
      canDisableNamespaces,
      canLimit: existsSync(PRLIMIT),
      canLimitProcesses: isAtLeast(release(), COUNTING_KERNEL),
      hiddenFolders: options.hiddenFolders ?? [workDir],
    });
    const confined = createLauncher({ host: options.host, checkIntervalMs: PROBE_TIMEOUT_MS, confinement });
    const { end, lines } = await run(confined, folder, '/bin/sh', ['-c', PROBE, 'sh', hidden]);
    const isWritten = end === 'exit code 0' && readFileSync(path.join(folder, 'probe'), 'utf8') === 'confined\n';
    return isWritten
      ? confinement
      : { fault: `a command cannot be confined by ${version}: ${[...lines, end].join('; ')}` };
  } finally {
    for (const place of [folder, hidden]) rmSync(place, { recursive: true, force: true });
  }
}

function findProgram(searchPath: string): string | undefined {
  return searchPath
    .split(':')
    .map((folder) => path.join(folder, PROGRAM))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** @param text - with a version in it, as in `bubblewrap 0.8.0` */
function isAtLeast(text: string, [wantedMajor, wantedMinor]: readonly [number, number]): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
}

async function run(launcher: Launcher, folder: string, executable: string, args: readonly string[]) {
  const lines: string[] = [];
  const launched = launcher.launch({
    command: { executable, args, env: {} },
    attemptId: path.basename(folder),
    folder,
    lineBytesMax: LINE_BYTES_MAX,
    followedFile: undefined,
    onLine: (line) => lines.push(line),
    onFault: (err) => lines.push(String(err)),
  });
  const late = setTimeout(() => launched.stop(0), PROBE_TIMEOUT_MS);
  const end = await launched.ended;
  clearTimeout(late);
  return { end: describeProcessEnd(end), lines };
}
