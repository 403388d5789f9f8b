import path from 'node:path';
import { type LaunchedCommand, removeFolder } from '@tally/launcher';
import { type Clock, type Logger, systemClock } from '@tally/service-kit';
import type { Executables, SimType } from '@tally/simulators';
import { readVersion } from '@tally/simulators/run';
import type { OpenLauncher } from '../process/open-launcher.js';
import type { ConfiguredExecutable } from './read-executables.js';

export interface DetectionOptions extends Pick<OpenLauncher, 'launcher' | 'findFault' | 'slotsMax'> {
  /** Makes a folder in which one executable is tried. */
  readonly makeFolder: () => Promise<string>;
  /** How long an executable may take to say its version. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

export interface ProbeOptions extends DetectionOptions {
  /** How long after a probe the next one begins, milliseconds; doubles up to `probePauseMsMax`. */
  readonly probePauseMs: number;
  readonly probePauseMsMax: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** What can be started here. */
export interface FoundExecutables {
  /** With their versions as the last probe has found them. */
  readonly executables: Executables;
  /** Tries those again, when it is time, that could not be started or did not say their version. */
  probeAgain(): Promise<void>;
}

/** Looks for the configured executables, as {@link detectExecutables} does. */
export async function findExecutables(
  configured: ReadonlyMap<SimType, ConfiguredExecutable>,
  options: ProbeOptions,
): Promise<FoundExecutables> {
  const { clock, probePauseMsMax } = options;
  const executables = new Map(await detectExecutables(configured, options));
  let pauseMs = options.probePauseMs;
  let dueMs = clock.monotonicMs() + pauseMs;
  return {
    executables,
    async probeAgain() {
      const unknown = new Map([...configured].filter(([simType]) => !executables.get(simType)));
      if (unknown.size === 0 || clock.monotonicMs() < dueMs) return;
      for (const [simType, version] of await detectExecutables(unknown, options)) executables.set(simType, version);
      pauseMs = Math.min(2 * pauseMs, probePauseMsMax);
      dueMs = clock.monotonicMs() + pauseMs;
    },
  };
}

const LINE_BYTES_MAX = 4_096;
/** More is not searched: banners come first. */
const LINES_MAX = 500;

/**
 * Which of the configured executables are there and can be started, and their versions, in the order of `configured`. All are tried at once, where that
 * can be, so that this takes no longer than `timeoutMs` and what it takes to end a process. One that does not say its version in time
 * runs all the same, with an unknown version; one that cannot be started counts as if it were not configured.
 */
export async function detectExecutables(
  configured: ReadonlyMap<SimType, ConfiguredExecutable>,
  options: DetectionOptions,
): Promise<Executables> {
  const detect = async ([simType, executable]: [SimType, ConfiguredExecutable]) =>
    [simType, await detectVersion(simType, executable, options)] as const;
  const entries = [...configured];
  const versions = new Map<SimType, string | undefined>();
  if (options.slotsMax === undefined)
    for (const found of await Promise.all(entries.map(detect))) versions.set(...found);
  else for (const entry of entries) versions.set(...(await detect(entry)));
  return new Map([...versions].flatMap(([simType, version]) => (version === undefined ? [] : [[simType, version]])));
}

const UNSTARTABLE = 'executable cannot be started: this runner takes no tasks of it, and will try again';
const NO_VERSION =
  'executable found, it does not say its version: this runner takes no tasks of jobs that began on a known one, and will ask again';

/** Empty: it is there, of an unknown version. `undefined`: it is not there. */
async function detectVersion(
  simType: SimType,
  { config, readOnlyPaths, version, probe }: ConfiguredExecutable,
  { launcher, findFault, makeFolder, timeoutMs, logger }: DetectionOptions,
): Promise<string | undefined> {
  const facts = { sim_type: simType, executable: config.executable };
  const fault = await findFault(config.executable);
  if (fault !== undefined) {
    logger.warn({ ...facts, cause: fault }, UNSTARTABLE);
    return undefined;
  }
  if (version !== '') {
    logger.info({ ...facts, version }, 'executable found, its version is configured');
    return version;
  }
  const folder = await makeFolder();
  try {
    const lines: string[] = [];
    const printed = launcher.launch({
      command: { executable: config.executable, args: [...config.args, ...probe.args], env: config.env },
      attemptId: path.basename(folder),
      folder,
      readOnlyPaths,
      lineBytesMax: LINE_BYTES_MAX,
      followedFile: undefined,
      onLine: (line) => void (lines.length < LINES_MAX && lines.push(line)),
      onFault: (err) => logger.error({ ...facts, err }, 'processes are left'),
    });
    const isLate = await stopWhenLate(printed, timeoutMs);
    const end = await printed.ended;
    if (end.kind === 'unstartable') {
      logger.warn({ ...facts, cause: end.message }, UNSTARTABLE);
      return undefined;
    }
    const found = readVersion(lines.join('\n'), probe.pattern);
    if (found === '') logger.warn({ ...facts, is_late: isLate }, NO_VERSION);
    else logger.info({ ...facts, version: found }, 'executable found');
    return found;
  } finally {
    await removeFolder(folder);
  }
}

/** Resolves when the command has ended, or has been stopped because it took too long: then true. */
async function stopWhenLate(command: LaunchedCommand, timeoutMs: number): Promise<boolean> {
  const ended = new AbortController();
  const end = () => ended.abort('ended');
  void command.ended.then(end);
  await command.begun; // where one command runs at a time it may wait for a task
  await systemClock.sleep(timeoutMs, ended.signal);
  const isLate = !ended.signal.aborted;
  if (isLate) command.stop(0);
  return isLate;
}
