import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, constants, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { systemClock } from '@tally/service-kit/clock';
import { errorCode } from '../error-code.js';
import { makeFifo } from './system-calls.js';

/*
 * The folder that a runner shares with its simulator host, which sees it read-only: there it can connect to a socket and
 * hold a pipe open, but make nothing. Who is allowed to connect is the host's launcher, the first process of its PID
 * namespace, before any simulator runs. A simulator is of the same user and could try the same. So:
 *  - the socket is there only until somebody has connected; while simulators run there is none;
 *  - the launcher keeps the pipe open as long as it lives. There is a socket again only when nobody has the pipe open: then
 *    the launcher has ended, and with it, by the kernel, every simulator (pid_namespaces(7));
 *  - who has connected has to answer after a pause: the kernel closes a process's files a moment before it ends the
 *    namespace, and in that moment a simulator could connect. It is dead when it is asked.
 */

const SOCKET = 'host.sock';
const PIPE = 'alive';
const OPEN_MODE = 0o660;
const POLL_MS = 50;
const NONCE_BYTES = 32;

export interface ControlPlaces {
  readonly socket: string;
  readonly pipe: string;
}

export function controlPlaces(folder: string): ControlPlaces {
  return { socket: path.join(folder, SOCKET), pipe: path.join(folder, PIPE) };
}

/** A fresh text that nobody can guess. */
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('hex');

export interface ControlFolder {
  /** The first that connects when no launcher and no simulator is left of an earlier host; `undefined`: closed. */
  awaitHost(): Promise<Socket | undefined>;
  close(): void;
}

/** Opens the folder for the runner; one runner at a time. */
export function openControlFolder(folder: string): ControlFolder {
  const { socket, pipe } = controlPlaces(folder);
  const group = statSync(folder).gid;
  const share = (place: string) => {
    chownSync(place, -1, group);
    chmodSync(place, OPEN_MODE);
  };
  if (!existsSync(pipe)) makeFifo(pipe, OPEN_MODE);
  share(pipe);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const closed = new AbortController();
  return {
    async awaitHost() {
      while (!closed.signal.aborted && isHeld(reader)) await systemClock.sleep(POLL_MS, closed.signal);
      if (closed.signal.aborted) return undefined;
      rmSync(socket, { force: true });
      const server = createServer({ pauseOnConnect: true }).listen(socket);
      try {
        await once(server, 'listening', { signal: closed.signal });
        share(socket);
        const [connection] = (await once(server, 'connection', { signal: closed.signal })) as [Socket];
        return connection;
      } catch (err) {
        if (closed.signal.aborted) return undefined;
        throw err;
      } finally {
        server.close(); // and removes the socket
      }
    },
    close() {
      closed.abort();
      closeSync(reader);
    },
  };
}

/** Whether anybody has the pipe open to write: then there is nothing to read, but no end either (pipe(7)). */
function isHeld(reader: number): boolean {
  try {
    return readSync(reader, Buffer.alloc(4096)) > 0;
  } catch (err) {
    if (errorCode(err) === 'EAGAIN') return true;
    throw err;
  }
}
