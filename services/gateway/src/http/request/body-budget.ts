import { clientNetwork } from '@tally/service-kit';
import { fail } from '../../errors.js';

/** What a request holds of the bounds. What it announces counts nothing; only what has come does. */
export interface BodyShare {
  /** Takes room. @throws ServiceError OVERLOADED, ADDRESS_OVERLOADED when there is none */
  hold(bytes: number): void;
  /** The request has shown a session or a key: it no longer counts as a stranger's. */
  recognize(): void;
  /** Gives back everything that is held. */
  release(): void;
}

/** Bounds of the sums over all requests, bytes. */
export interface BodyBudgetLimits {
  readonly bytesMax: number;
  /** Of requests that have shown neither a session nor a key. */
  readonly strangerBytesMax: number;
  /** Of requests from one address (IPv6: a /64). */
  readonly addressBytesMax: number;
}

const RETRY_AFTER_MS = 1_000;

/** Keeps the sum of all request bodies in memory under a bound, that of strangers and that of an address under smaller ones. */
export class BodyBudget {
  #heldBytes = 0;
  #strangerBytes = 0;
  readonly #addressBytes = new Map<string, number>();

  constructor(private readonly limits: BodyBudgetLimits) {}

  /** A share without any room as yet. @param isRecognized - the request has shown a session */
  open(address: string, isRecognized: boolean): BodyShare {
    const network = clientNetwork(address);
    let [held, isStranger] = [0, !isRecognized];
    const add = (bytes: number) => {
      held += bytes;
      this.#heldBytes += bytes;
      if (isStranger) this.#strangerBytes += bytes;
      const ofAddress = (this.#addressBytes.get(network) ?? 0) + bytes;
      if (ofAddress === 0) this.#addressBytes.delete(network);
      else this.#addressBytes.set(network, ofAddress);
    };
    return {
      hold: (bytes) => {
        this.#requireRoom(network, bytes, isStranger);
        add(bytes);
      },
      recognize: () => {
        const bytes = held;
        add(-bytes);
        isStranger = false;
        add(bytes);
      },
      release: () => add(-held),
    };
  }

  #requireRoom(network: string, bytes: number, isStranger: boolean): void {
    const { bytesMax, strangerBytesMax, addressBytesMax } = this.limits;
    const isFull = this.#heldBytes + bytes > bytesMax || (isStranger && this.#strangerBytes + bytes > strangerBytesMax);
    if (isFull) throw fail('OVERLOADED', { retryAfterMs: RETRY_AFTER_MS });
    if ((this.#addressBytes.get(network) ?? 0) + bytes > addressBytesMax) {
      throw fail('ADDRESS_OVERLOADED', { retryAfterMs: RETRY_AFTER_MS });
    }
  }
}
