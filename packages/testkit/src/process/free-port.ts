import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections (Linux: 32768, ip(7)), above those of well-known servers. */
const PORTS = { from: 12_000, to: 32_000 } as const;
const TRY_COUNT_MAX = 100;

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, and that no outgoing connection of this machine takes meanwhile.
 * Another server may: callers that start one on it try again with another port.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRY_COUNT_MAX; tries++) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${PORTS.from} and ${PORTS.to}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
