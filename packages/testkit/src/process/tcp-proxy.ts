import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** How a way between two processes behaves. */
export type LinkState =
  | { readonly kind: 'up' }
  /** Nobody answers, and what was open is reset. */
  | { readonly kind: 'cut' }
  /**
   * Connections stay, and are made, but nothing passes, and neither side hears of it. So it stays for these connections for
   * ever, as where a firewall has forgotten them; those that are made later are well.
   */
  | { readonly kind: 'half-open' }
  /** Everything that passes is this late. */
  | { readonly kind: 'delayed'; readonly delayMs: number }
  /**
   * A share of what passes is lost and sent again. What a program sees of that is a pause for everything behind it, of
   * Linux's smallest retransmission time-out (TCP_RTO_MIN, 200 ms).
   */
  | { readonly kind: 'lossy'; readonly share: number };

const RETRANSMISSION_MS = 200;

/** A way to a server that can be made bad. No byte is ever lost in the middle: TCP gives all in order, or none. */
export interface TcpProxy {
  /** host:port to connect to instead of the server. */
  readonly address: string;
  set(state: LinkState): void;
  /** Ends every connection. Resolves when nobody can connect any more. */
  close(): Promise<void>;
}

/**
 * @param target - host:port
 * @param random - for losses: a number from [0, 1)
 */
export async function startTcpProxy(target: string, random: () => number): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const open = new Set<Connection>();
  let state: LinkState = { kind: 'up' };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state.kind === 'cut') return void near.resetAndDestroy();
    const far = connect({ port: Number(port), host, allowHalfOpen: true });
    const connection = new Connection(near, far, () => delayOf(state, random));
    connection.isDead = state.kind === 'half-open';
    open.add(connection);
    near.once('close', () => open.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const set = (next: LinkState) => {
    state = next;
    for (const connection of open) {
      if (next.kind === 'cut') connection.reset();
      if (next.kind === 'half-open') connection.isDead = true;
    }
  };
  return {
    address: `127.0.0.1:${address.port}`,
    set,
    async close() {
      set({ kind: 'cut' });
      server.close();
      await once(server, 'close');
    },
  };
}

function delayOf(state: LinkState, random: () => number): number {
  if (state.kind === 'delayed') return state.delayMs;
  return state.kind === 'lossy' && random() < state.share ? RETRANSMISSION_MS : 0;
}

/** Sent so much later than it came that a sender has to wait: what is on its way at once, at most. */
const BACKLOG_MAX = 1_000;

class Connection {
  /** Nothing passes any more. */
  isDead = false;

  constructor(
    private readonly near: Socket,
    private readonly far: Socket,
    private readonly delayMs: () => number,
  ) {
    this.#pass(near, far);
    this.#pass(far, near);
  }

  reset(): void {
    this.near.resetAndDestroy();
    this.far.resetAndDestroy();
  }

  /** In order, each piece not before its time and not before those before it. */
  #pass(from: Socket, to: Socket): void {
    let last: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    const later = (give: () => unknown) => {
      if (this.isDead) return;
      const delayMs = this.delayMs();
      const ready = delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs).unref()) : undefined;
      waiting++;
      if (waiting > BACKLOG_MAX) from.pause();
      last = Promise.all([last, ready]).then(async () => {
        if (!this.isDead && !to.destroyed) await give();
        waiting--;
        if (from.isPaused()) from.resume();
      });
    };
    from.setNoDelay(true);
    from.on('data', (bytes) => later(() => to.write(bytes) || drained(to)));
    from.on('end', () => later(() => void to.end()));
    from.on('error', () => {}); // its end follows
    from.on('close', (hasFailed) => {
      if (hasFailed || to.writableEnded) to.destroy();
      else later(() => to.destroy());
    });
  }
}

/** Whoever takes slowly holds back who gives. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });
}
