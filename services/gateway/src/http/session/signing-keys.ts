import { createPublicKey, type KeyObject } from 'node:crypto';
import type { auth } from '@tally/contracts';
import type { Clock, Logger } from '@tally/service-kit';
import { z } from 'zod';

/** Asks auth for the live keys. */
export type FetchSigningKeys = () => Promise<auth.ListSigningKeysResponse>;

const ecJwk = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() });

/**
 * Public keys that access tokens are checked with, by key id. Kept while auth is away; fetched again in the background
 * and, at most once in `refreshMinMs`, when a token names a key that is not known.
 */
export class SigningKeys {
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #hasKeys = false;
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(
    private readonly fetchKeys: FetchSigningKeys,
    private readonly options: { readonly refreshMinMs: number; readonly clock: Clock; readonly logger: Logger },
  ) {}

  /** False until auth has answered once. */
  get isLoaded(): boolean {
    return this.#hasKeys;
  }

  /** The key with this id; asks auth when it is not known and was not asked just now. */
  async find(kid: string): Promise<KeyObject | undefined> {
    const known = this.#keys.get(kid);
    if (known !== undefined) return known;
    if (this.#fetching === undefined) {
      const ageMs = this.options.clock.monotonicMs() - this.#fetchedAtMs;
      if (ageMs < this.options.refreshMinMs) return undefined;
    }
    await this.refresh();
    return this.#keys.get(kid);
  }

  /** Fetches the keys; several callers share one fetch. A failure is logged and leaves the keys as they are. */
  refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    this.#fetchedAtMs = this.options.clock.monotonicMs();
    try {
      const { keys } = await this.fetchKeys();
      this.#keys = new Map(keys.flatMap(({ kid, publicJwkJson }) => this.#parse(kid, publicJwkJson)));
      this.#hasKeys = true;
    } catch (err) {
      this.options.logger.warn({ err }, 'signing keys could not be fetched');
    }
  }

  #parse(kid: string, json: string): [string, KeyObject][] {
    try {
      return [[kid, createPublicKey({ key: ecJwk.parse(JSON.parse(json)), format: 'jwk' })]];
    } catch (err) {
      this.options.logger.error({ err, kid }, 'signing key cannot be read');
      return [];
    }
  }
}
