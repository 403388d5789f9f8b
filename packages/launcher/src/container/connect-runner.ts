import { closeSync, constants, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { systemClock } from '@tally/service-kit/clock';
import { controlPlaces } from './control-folder.js';

const PAUSE_MS = 100;

/**
 * Connects to the runner, as soon as one waits for a host. While this process lives it holds the pipe of the folder open.
 */
export async function connectRunner(controlFolder: string): Promise<Socket> {
  const { socket, pipe } = controlPlaces(controlFolder);
  for (;;) {
    const connected = await tryToConnect(socket, pipe);
    if (connected !== undefined) return connected;
    await systemClock.sleep(PAUSE_MS);
  }
}

async function tryToConnect(socketPath: string, pipe: string): Promise<Socket | undefined> {
  let held: number;
  try {
    held = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined; // no runner has it open to read
  }
  const socket = connect(socketPath);
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  if (isConnected) return socket;
  closeSync(held);
  return undefined;
}
