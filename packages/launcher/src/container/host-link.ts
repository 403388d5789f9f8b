import type { Socket } from 'node:net';
import type { ProcessEnd } from '@tally/simulators';
import type { LaunchedCommand, LaunchRequest } from '../process/launcher.js';
import type { LimitName } from '../process/limit-watch.js';
import { createFrameReader, encodeFrame } from './frames.js';
import { type HostTools, parseToRunner, type ToHost, type ToRunner } from './messages.js';

/** The runner's end of a connection to a simulator host. */
export interface HostLink {
  /** Resolves when it answers with the same nonce; never, when it does not. */
  hello(nonce: string): Promise<HostTools>;
  /** Why a program cannot be started there; `undefined`: it can. */
  check(executable: string): Promise<string | undefined>;
  /** Starts a command; one at a time. `ended` never rejects. */
  start(
    request: LaunchRequest,
    onLimit: (name: LimitName) => void,
  ): Pick<LaunchedCommand, 'ended' | 'stop' | 'readCpuMs'>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): void;
}

interface RunningCommand {
  readonly id: number;
  readonly request: LaunchRequest;
  readonly onLimit: (name: LimitName) => void;
  readonly end: (end: ProcessEnd) => void;
  readonly use: (cpuMs: number) => void;
}

/** How a command ends whose host has ended: the kernel kills it with that. */
const KILLED: ProcessEnd = { kind: 'signalled', signal: 'SIGKILL' };

/** @param socket - paused, as a server gives it with `pauseOnConnect` */
export function openHostLink(socket: Socket): HostLink {
  let count = 0;
  let running: RunningCommand | undefined;
  const greetings = new Map<string, (tools: HostTools) => void>();
  const checks = new Map<number, (fault: string | undefined) => void>();
  const send = (message: ToHost) => void socket.write(encodeFrame('message', JSON.stringify(message)));
  const take = (message: ToRunner) => {
    if (message.type === 'hello') return greetings.get(message.nonce)?.(message.tools);
    if (message.type === 'checked') {
      checks.get(message.id)?.(message.fault);
      return void checks.delete(message.id);
    }
    const command = running;
    if (command?.id !== message.id) return; // of an earlier command
    switch (message.type) {
      case 'limit':
        return command.onLimit(message.name);
      case 'fault':
        return command.request.onFault(new Error(message.message));
      case 'usage':
        return command.use(message.cpuMs);
      case 'ended':
        running = undefined;
        return command.end(message.end);
    }
  };
  const read = createFrameReader((kind, text) => {
    if (kind === 'message') take(parseToRunner(text));
    else running?.request.onLine(text, kind);
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => {}); // it closes then
    socket.on('close', () => {
      const lost = running;
      running = undefined;
      lost?.request.onFault(new Error('the simulator host has ended while a command ran in it'));
      lost?.end(KILLED);
      for (const answer of checks.values()) answer('the simulator host has ended');
      resolve();
    });
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (err) {
      socket.destroy(err instanceof Error ? err : undefined);
    }
  });
  socket.resume();
  return {
    hello(nonce) {
      send({ type: 'hello', nonce });
      return new Promise((resolve) => greetings.set(nonce, resolve));
    },
    check(executable) {
      count += 1;
      const id = count;
      send({ type: 'check', id, executable });
      return new Promise((resolve) => checks.set(id, resolve));
    },
    start(request, onLimit) {
      count += 1;
      const id = count;
      const { command, attemptId, folder, limits, lineBytesMax } = request;
      let usedMs: number | undefined;
      const use = (cpuMs: number) => {
        usedMs = cpuMs;
      };
      const ended = new Promise<ProcessEnd>((resolve) => {
        running = { id, request, onLimit, end: resolve, use };
        if (socket.destroyed) resolve(KILLED);
        else send({ type: 'launch', id, command, attemptId, folder, lineBytesMax, ...(limits && { limits }) });
      });
      return { ended, stop: (graceMs) => send({ type: 'stop', id, graceMs }), readCpuMs: () => usedMs };
    },
    closed,
    close: () => void socket.destroy(),
  };
}
