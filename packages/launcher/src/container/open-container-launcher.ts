import type { Socket } from 'node:net';
import { systemClock } from '@tally/service-kit/clock';
import type { ProcessEnd } from '@tally/simulators';
import { follow, type LaunchedCommand, type Launcher, type LaunchRequest } from '../process/launcher.js';
import { newNonce, openControlFolder } from './control-folder.js';
import { type HostLink, openHostLink } from './host-link.js';
import type { HostTools } from './messages.js';

export interface ContainerLauncherOptions {
  /** The folder that is shared with the host, which sees it read-only; absolute path. */
  readonly controlFolder: string;
  /** How often followed files are read, milliseconds. */
  readonly checkIntervalMs: number;
  /** How long the start may wait for a host, and a command for the next one. */
  readonly startTimeoutMs: number;
  /** Hears what happens to the host, one line each. */
  readonly log?: (line: string) => void;
  /** How long who has connected has to wait before it is asked who it is; a second unless given. */
  readonly pauseMs?: number;
}

/** Starts commands in a simulator host: another container, in which nothing else runs. */
export interface ContainerLauncher extends Launcher {
  /** What was put beside the simulators there. */
  readonly tools: HostTools;
  /** Why a program of the host's image cannot be started, as the kernel says it; `undefined`: it can. */
  findFault(executable: string): Promise<string | undefined>;
  /** Rejects while there is no host. */
  requireReady(): Promise<void>;
  /** The host ends with it. */
  close(): void;
}

const NO_HOST = 'the simulator host is not there';
const PAUSE_MS = 1_000;
const HELLO_TIMEOUT_MS = 10_000;

/**
 * Waits for the simulator host, and for the next one whenever it has ended. One command runs at a time; others wait for
 * their turn, and for the next host. A host that ends takes the running command with it.
 * @throws Error when none comes in time
 */
export async function openContainerLauncher(options: ContainerLauncherOptions): Promise<ContainerLauncher> {
  const { checkIntervalMs, startTimeoutMs, log = () => {} } = options;
  const control = openControlFolder(options.controlFolder);
  let link: HostLink | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let arrival = new AbortController();
  let greeted: (tools: HostTools) => void = () => {};
  const firstTools = new Promise<HostTools>((resolve) => {
    greeted = resolve;
  });
  const keepLink = async () => {
    for (let socket = await control.awaitHost(); socket !== undefined; socket = await control.awaitHost()) {
      const opened = await greet(socket, options.pauseMs ?? PAUSE_MS);
      if (opened === undefined) {
        log('what connected was no simulator host');
        continue;
      }
      link = opened.link;
      arrival.abort();
      arrival = new AbortController();
      log('simulator host is there');
      greeted(opened.tools);
      await link.closed;
      link = undefined;
      log('simulator host has ended');
    }
  };
  void keepLink().catch((err: unknown) => log(`no simulator host is waited for any more: ${String(err)}`));
  const close = () => {
    control.close();
    link?.close();
  };
  const waited = new AbortController();
  const late = systemClock.sleep(startTimeoutMs, waited.signal);
  const tools = await Promise.race([firstTools, late]);
  waited.abort();
  if (tools === undefined) {
    close();
    throw new Error(`no simulator host has connected within ${startTimeoutMs} ms`);
  }
  const requireLink = () => {
    if (link === undefined) throw new Error(NO_HOST);
    return link;
  };
  const awaitLink = async (stopped: AbortSignal) => {
    if (link === undefined) await systemClock.sleep(startTimeoutMs, AbortSignal.any([arrival.signal, stopped]));
    return link;
  };
  return {
    tools,
    findFault: async (executable) => requireLink().check(executable),
    requireReady: async () => void requireLink(),
    launch(request) {
      const queued = launchInTurn(turn, request, checkIntervalMs, awaitLink);
      turn = queued.ended;
      return queued;
    },
    close,
  };
}

/** Asks who has connected, after a pause; `undefined`: it does not answer. */
async function greet(
  socket: Socket,
  pauseMs: number,
): Promise<{ readonly link: HostLink; readonly tools: HostTools } | undefined> {
  const link = openHostLink(socket);
  await systemClock.sleep(pauseMs);
  const limit = new AbortController();
  const late = systemClock.sleep(HELLO_TIMEOUT_MS, limit.signal);
  const tools = await Promise.race([link.hello(newNonce()), link.closed, late]);
  limit.abort();
  if (typeof tools === 'object') return { link, tools };
  link.close();
  return undefined;
}

function launchInTurn(
  before: Promise<unknown>,
  request: LaunchRequest,
  checkIntervalMs: number,
  awaitLink: (stopped: AbortSignal) => Promise<HostLink | undefined>,
): LaunchedCommand {
  const broken = new AbortController();
  const stopped = new AbortController();
  let running: ReturnType<HostLink['start']> | undefined;
  const run = async (): Promise<ProcessEnd> => {
    await before;
    const link = await awaitLink(stopped.signal);
    if (stopped.signal.aborted) return { kind: 'signalled', signal: 'SIGTERM' };
    if (link === undefined) return { kind: 'unstartable', message: NO_HOST };
    const command = link.start(request, (name) => broken.abort(name));
    running = command;
    const following = follow(request, checkIntervalMs);
    const end = await command.ended;
    await following?.end();
    return end;
  };
  return {
    begun: before,
    ended: run(),
    limitBroken: broken.signal,
    stop(graceMs) {
      stopped.abort();
      running?.stop(graceMs);
    },
    readCpuMs: () => running?.readCpuMs(),
  };
}
