import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that was free a moment ago. Somebody else may take it before it is used: callers that start a
 * server on it try again with another one.
 */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}
