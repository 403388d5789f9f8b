import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy between a network and what is outside of it, which makes tunnels (CONNECT) for who knows its password. */
export interface ForwardProxy {
  /** With the user and the password. */
  readonly url: string;
  /** `host:port` of every tunnel that it has made, in order. */
  readonly tunnels: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts it on a free port of 127.0.0.1.
 * @param names - `host:port` as clients ask for it, and where that is: names that only the proxy knows
 */
export async function startForwardProxy(names: ReadonlyMap<string, string>): Promise<ForwardProxy> {
  const expected = `Basic ${Buffer.from('tally:secret').toString('base64')}`;
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_req, res) => res.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, client) => {
    client.on('error', () => client.destroy());
    const end = (status: string) => client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    if (headers['proxy-authorization'] !== expected) return end('407 Proxy Authentication Required');
    const address = names.get(url);
    if (address === undefined) return end('502 Bad Gateway');
    tunnels.push(url);
    const [host, port] = address.split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://tally:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
