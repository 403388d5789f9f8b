import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on which the client's turns are counted. */
export interface TurnCounter {
  /** host:port to connect to instead of the server. */
  readonly address: string;
  /** How often a client has spoken after the server did, on all connections together: what it waited for, in round trips. */
  turns(): number;
  /** Ends every connection. Resolves when nobody can connect any more. */
  close(): Promise<void>;
}

/** @param target - host:port */
export async function startTurnCounter(target: string): Promise<TurnCounter> {
  const [host = '', port = ''] = target.split(':');
  const open = new Set<Socket>();
  let turns = 0;
  const server = createServer((near) => {
    const far = connect({ port: Number(port), host, noDelay: true });
    near.setNoDelay(true);
    let isClientsTurn = true;
    near.on('data', () => {
      if (isClientsTurn) turns += 1;
      isClientsTurn = false;
    });
    far.on('data', () => {
      isClientsTurn = true;
    });
    near.pipe(far).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => open.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the counter has no port');
  return {
    address: `127.0.0.1:${address.port}`,
    turns: () => turns,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
