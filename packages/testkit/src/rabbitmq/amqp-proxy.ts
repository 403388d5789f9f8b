import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { NextOnly } from '../next-only.js';
import { type AmqpFrame, amqpMethod, closeArguments, createFrameReader } from './amqp-frames.js';

type Side = 'broker' | 'client';

/** What becomes of one frame. */
export interface AmqpFault {
  /** Whose frame. */
  readonly from: Side;
  readonly isWanted: (frame: AmqpFrame) => boolean;
  /** Instead of passing it on. */
  readonly act: (frame: AmqpFrame, link: AmqpLink) => void;
}

/** A way to a broker that understands what passes, and can say anything in its place. */
export interface AmqpProxy {
  /** host:port to connect to instead of the broker. */
  readonly address: string;
  /** Lets a fault act on the next frame that it wants, once. Resolves to whether there was one within the time. */
  next(fault: AmqpFault, timeoutMs: number): Promise<boolean>;
  /** Ends all connections that there are; clients connect again. */
  reset(): void;
  close(): Promise<void>;
}

/** @param target - host:port of the broker */
export async function startAmqpProxy(target: string): Promise<AmqpProxy> {
  const [host = '', port = ''] = target.split(':');
  const links = new Set<AmqpLink>();
  const faults = new NextOnly<AmqpFault>();
  const take = (side: Side, frame: AmqpFrame): AmqpFault | undefined =>
    faults.take(({ from, isWanted }) => from === side && isWanted(frame));
  const server = createServer((client) => {
    const link = new AmqpLink(client, connect(Number(port), host), take);
    links.add(link);
    client.once('close', () => links.delete(link));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const reset = () => {
    for (const link of links) link.reset();
  };
  return {
    address: `127.0.0.1:${address.port}`,
    reset,
    next: (fault, timeoutMs) => faults.offer(fault, timeoutMs),
    async close() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One connection through the proxy. */
export class AmqpLink {
  readonly #sockets: Readonly<Record<Side, Socket>>;
  readonly #held: Record<Side, Buffer[] | undefined> = { broker: undefined, client: undefined };
  /** Frames of these channels do not pass until the close is answered. */
  readonly #muted: Readonly<Record<Side, Set<number>>> = { broker: new Set(), client: new Set() };
  #isEnding = false;
  #flowsAsked = 0;

  constructor(
    client: Socket,
    broker: Socket,
    private readonly take: (side: Side, frame: AmqpFrame) => AmqpFault | undefined,
  ) {
    this.#sockets = { client, broker };
    for (const side of ['client', 'broker'] as const) {
      const socket = this.#sockets[side];
      const read = createFrameReader(side === 'client');
      socket.setNoDelay(true);
      socket.on('data', (bytes) => {
        for (const frame of read(bytes)) this.#hear(side, frame);
      });
      socket.on('error', () => {}); // its end follows
      socket.on('close', () => this.#end(side));
    }
  }

  /** Sends to one side, in order. */
  send(to: Side, bytes: Buffer): void {
    const from = to === 'broker' ? 'client' : 'broker';
    const held = this.#held[from];
    if (held !== undefined) held.push(bytes);
    else if (!this.#sockets[to].destroyed) this.#sockets[to].write(bytes);
  }

  /** Nothing of this side passes for so long. @param then - when it passes again, before it does */
  hold(from: Side, ms: number, then: () => void = () => {}): void {
    if (this.#held[from] !== undefined) return;
    const held: Buffer[] = [];
    this.#held[from] = held;
    setTimeout(() => {
      this.#held[from] = undefined;
      then();
      for (const bytes of held) this.send(from === 'broker' ? 'client' : 'broker', bytes);
    }, ms).unref();
  }

  /** As the broker closes a channel: with a code; both sides think that it was the other one. */
  closeChannel(channel: number, code: number, text: string): void {
    this.send('broker', amqpMethod(channel, 'channel.close', closeArguments(200, 'closed')));
    this.send('client', amqpMethod(channel, 'channel.close', closeArguments(code, text)));
    this.#muted.broker.add(channel);
    this.#muted.client.add(channel);
  }

  closeConnection(code: number, text: string): void {
    this.send('client', amqpMethod(0, 'connection.close', closeArguments(code, text)));
    this.#isEnding = true;
    this.#sockets.broker.resetAndDestroy();
  }

  /** Whether the client may send. Its answer does not reach the broker, which has not asked. */
  flow(channel: number, isActive: boolean): void {
    this.#flowsAsked++;
    this.send('client', amqpMethod(channel, 'channel.flow', Buffer.from([isActive ? 1 : 0])));
  }

  reset(): void {
    this.#sockets.client.resetAndDestroy();
    this.#sockets.broker.resetAndDestroy();
  }

  #hear(side: Side, frame: AmqpFrame): void {
    const muted = this.#muted[side];
    if (this.#isEnding) {
      if (frame.method === 'connection.close-ok') this.#sockets.client.end();
      return;
    }
    if (muted.has(frame.channel)) {
      if (frame.method === 'channel.close-ok') muted.delete(frame.channel);
      return;
    }
    if (side === 'client' && frame.method === 'channel.flow-ok' && this.#flowsAsked > 0) {
      this.#flowsAsked--;
      return;
    }
    const fault = this.take(side, frame);
    if (fault === undefined) this.send(side === 'client' ? 'broker' : 'client', frame.bytes);
    else fault.act(frame, this);
  }

  #end(side: Side): void {
    if (side === 'broker' && this.#isEnding) return; // the client closes
    this.#sockets.client.destroy();
    this.#sockets.broker.destroy();
  }
}
