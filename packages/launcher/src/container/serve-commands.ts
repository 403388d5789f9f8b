import type { Socket } from 'node:net';
import path from 'node:path';
import { type LaunchedCommand, type Launcher, type LineSource, startFault } from '../process/launcher.js';
import type { LimitName } from '../process/limit-watch.js';
import type { ProcessHost } from '../process/process-host.js';
import { mountPoints, removeEntries, shareEntries } from './clean-host.js';
import { createFrameReader, encodeFrame } from './frames.js';
import { type HostTools, parseToHost, type ToHost, type ToRunner } from './messages.js';
import { removeSharedObjects } from './system-calls.js';

export interface ServeOptions {
  /** One that owns the PID namespace of this process. */
  readonly launcher: Launcher;
  /** The folder of all tasks' folders. */
  readonly tasksFolder: string;
  /** Other folders that commands may write into. */
  readonly temporaryFolders: readonly string[];
  readonly tools: HostTools;
  /** Output that is not read by the runner is not read from the command. */
  readonly output: PausableOutput;
}

/** The output of what a process host has started. */
export interface PausableOutput {
  pause(): void;
  resume(): void;
}

/** How often the runner learns what the command has used. */
const USAGE_INTERVAL_MS = 2_000;

type LaunchMessage = Extract<ToHost, { readonly type: 'launch' }>;

/** The same host; its output can be paused while nobody takes it. */
export function pausableHost(host: ProcessHost): { readonly host: ProcessHost; readonly output: PausableOutput } {
  let streams: readonly (NodeJS.ReadableStream & { readonly destroyed: boolean })[] = [];
  const start: ProcessHost['start'] = (request) => {
    const started = host.start(request);
    streams = started.pid === undefined ? [] : [started.stdout, started.stderr];
    return started;
  };
  return {
    host: { ...host, start },
    output: {
      pause: () => void streams.map((stream) => stream.pause()),
      resume: () => void streams.map((stream) => stream.destroyed || stream.resume()),
    },
  };
}

/**
 * Does what the runner asks for over a socket, one command at a time: before each, everything that earlier ones have left
 * is removed. Resolves when the connection has ended; what runs then is not ended here, but with this process.
 */
export function serveCommands(socket: Socket, options: ServeOptions): Promise<void> {
  const { launcher, tools, output } = options;
  let running: (Pick<LaunchedCommand, 'stop'> & { readonly id: number }) | undefined;
  const write = (frame: Buffer) => {
    if (socket.write(frame)) return;
    output.pause();
    socket.once('drain', () => output.resume());
  };
  const send = (message: ToRunner) => write(encodeFrame('message', JSON.stringify(message)));
  const run = async (message: LaunchMessage) => {
    const { id, folder } = message;
    await clean(options, folder);
    const command = launcher.launch({
      ...message,
      command: { ...message.command, env: message.command.env ?? {} },
      watchedFolder: options.tasksFolder,
      followedFile: undefined,
      onLine: (line, source) => write(encodeFrame(kindOf(source), line)),
      onFault: (err) => send({ type: 'fault', id, message: String(err) }),
    });
    running = { id, stop: (graceMs) => command.stop(graceMs) };
    const { limitBroken } = command;
    const sayLimit = () => send({ type: 'limit', id, name: limitBroken.reason as LimitName });
    limitBroken.addEventListener('abort', sayLimit, { once: true });
    const sayUsage = () => {
      const cpuMs = command.readCpuMs();
      if (cpuMs !== undefined) send({ type: 'usage', id, cpuMs });
    };
    const usageTimer = setInterval(sayUsage, USAGE_INTERVAL_MS);
    const end = await command.ended;
    clearInterval(usageTimer);
    sayUsage();
    limitBroken.removeEventListener('abort', sayLimit);
    running = undefined;
    await shareEntries(folder);
    send({ type: 'ended', id, end });
  };
  const take = (message: ToHost) => {
    switch (message.type) {
      case 'hello':
        return send({ type: 'hello', nonce: message.nonce, tools });
      case 'check': {
        const fault = startFault(message.executable);
        return send({ type: 'checked', id: message.id, ...(fault === undefined ? {} : { fault }) });
      }
      case 'launch':
        return void run(message).catch((err: unknown) => {
          send({ type: 'fault', id: message.id, message: String(err) });
          socket.end(() => socket.destroy(err as Error)); // not fit for another
        });
      case 'stop':
        return running?.id === message.id ? running.stop(message.graceMs) : undefined;
    }
  };
  return new Promise((resolve, reject) => {
    const read = createFrameReader((_kind, text) => take(parseToHost(text)));
    let fault: Error | undefined;
    socket.on('data', (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (err) {
        socket.destroy(err as Error);
      }
    });
    socket.on('error', (err) => {
      fault = err;
    });
    socket.on('close', () => (fault === undefined ? resolve() : reject(fault)));
  });
}

/** @throws Error when something of an earlier command cannot be removed: the next must not see it */
async function clean({ tasksFolder, temporaryFolders }: ServeOptions, folder: string): Promise<void> {
  if (path.dirname(folder) !== tasksFolder) throw new Error('a task works in a folder of its own');
  const mounted = await mountPoints(); // what a site mounts below them is not a task's
  for (const temporary of temporaryFolders) await removeEntries(temporary, mounted);
  await removeEntries(tasksFolder, [folder]);
  removeSharedObjects();
}

function kindOf(source: LineSource): 'stdout' | 'stderr' {
  return source === 'stderr' ? 'stderr' : 'stdout';
}
