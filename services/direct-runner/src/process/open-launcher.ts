import {
  type Cgroups,
  type Confinement,
  type ConfinementKind,
  createLauncher,
  type Launcher,
  openBubblewrap,
  openCgroups,
  type ProcessHost,
  startFault,
} from '@tally/launcher';
import type { Logger } from '@tally/service-kit';
import type { RunnerBounds } from '../bounds.js';
import type { RunnerConfig } from '../config.js';

/** How simulators are started here, and what keeps them from the rest of the machine. */
export interface OpenLauncher {
  readonly launcher: Launcher;
  readonly confinement: ConfinementKind;
  /** Whether executables may read users' own files. */
  readonly acceptsFiles: boolean;
  /** Of tasks at once; any number where it is `undefined`. */
  readonly slotsMax: number | undefined;
  /** How the built-in engine is started, where it is not this program's own: Node, and the folder of its script. */
  readonly tools:
    | { readonly executable: string; readonly args: readonly string[]; readonly folder: string }
    | undefined;
  /** Why a program cannot be started where simulators run, as the kernel says it; `undefined`: it can. */
  findFault(executable: string): Promise<string | undefined>;
  /** Rejects while no simulator can be started. */
  requireReady(): Promise<void>;
  close(): void;
}

type LauncherConfig = Pick<
  RunnerConfig,
  'allowUnconfinedFiles' | 'confinement' | 'hostControlDir' | 'processNiceness' | 'taskTemporaryBytesMax' | 'workDir'
> &
  Pick<RunnerBounds, 'limitCheckMs'>;

/** How long a start of the runner waits for its simulator host, milliseconds; then the kubelet starts it again. */
const HOST_WAIT_MS = 100_000;

/**
 * Opens what RUNNER_CONFINEMENT asks for; a command has really run in it then (ADR 11).
 * @throws Error when what is asked for by name does not work here
 */
export async function openLauncher(
  config: LauncherConfig,
  { host, hasCgroups, logger }: { readonly host: ProcessHost; readonly hasCgroups: boolean; readonly logger: Logger },
): Promise<OpenLauncher> {
  if (config.confinement === 'container') return openContainer(config, logger);
  const bubblewrap = config.confinement === 'none' ? undefined : await tryBubblewrap(config, host, logger);
  const cgroups = hasCgroups ? openCgroups() : undefined;
  const kind: ConfinementKind = bubblewrap === undefined ? 'none' : 'bubblewrap';
  const acceptsFiles = kind !== 'none' || (config.confinement === 'none' && config.allowUnconfinedFiles);
  const facts = { confinement: kind, accepts_files: acceptsFiles, cgroups: cgroups?.version ?? null };
  if (kind === 'none') logger.warn(facts, 'simulators are not confined: they run as the user of this runner');
  else logger.info(facts, 'simulators are confined');
  return {
    launcher: createLauncher({ host, ...launcherParts(bubblewrap, cgroups), ...launcherOptions(config) }),
    confinement: kind,
    acceptsFiles,
    slotsMax: undefined,
    tools: undefined,
    findFault: async (executable) => startFault(executable),
    requireReady: async () => {},
    close: () => cgroups?.close(),
  };
}

async function openContainer(config: LauncherConfig, logger: Logger): Promise<OpenLauncher> {
  const { hostControlDir: controlFolder, limitCheckMs: checkIntervalMs } = config;
  if (controlFolder === '') throw new Error('RUNNER_CONFINEMENT=container: RUNNER_HOST_CONTROL_DIR is missing');
  const { openContainerLauncher } = await import('@tally/launcher/container/open-container-launcher');
  const log = (line: string) => logger.info({}, line);
  const launcher = await openContainerLauncher({ controlFolder, checkIntervalMs, startTimeoutMs: HOST_WAIT_MS, log });
  logger.info({ confinement: 'container', accepts_files: true }, 'simulators are confined');
  return {
    launcher,
    confinement: 'container',
    acceptsFiles: true,
    slotsMax: 1,
    tools: launcher.tools,
    findFault: (executable) => launcher.findFault(executable),
    requireReady: () => launcher.requireReady(),
    close: () => launcher.close(),
  };
}

function launcherOptions({ limitCheckMs, processNiceness }: LauncherConfig) {
  return { checkIntervalMs: limitCheckMs, niceness: processNiceness };
}

function launcherParts(confinement: Confinement | undefined, cgroups: Cgroups | undefined) {
  return { ...(confinement && { confinement }), ...(cgroups && { cgroups }) };
}

async function tryBubblewrap(
  { confinement, taskTemporaryBytesMax, workDir }: LauncherConfig,
  host: ProcessHost,
  logger: Logger,
): Promise<Confinement | undefined> {
  const opened = await openBubblewrap({ host, workDir, temporaryBytesMax: taskTemporaryBytesMax });
  if (!('fault' in opened)) return opened;
  if (confinement !== 'auto') throw new Error(`RUNNER_CONFINEMENT=${confinement}: ${opened.fault}`);
  logger.warn({ cause: opened.fault }, "no bubblewrap here: users' own files are not run by executables");
  return undefined;
}
