import { hash } from 'node:crypto';
import type { auth } from '@tally/contracts';
import { type Clock, hasReason } from '@tally/service-kit';
import { LRUCache } from 'lru-cache';
import { fail } from '../../errors.js';
import { required, source, tokenScope } from '../mappers.js';
import type { Session } from './access-token.js';
import type { TokenScope } from './token-scopes.js';

/** Asks auth whose token it is. */
export type FetchApiTokenOwner = (text: string) => Promise<auth.GetApiTokenOwnerResponse>;

/** Who acts by an API token; its id stands in the place of the session's. */
export interface TokenSession extends Session {
  readonly scopes: readonly TokenScope[];
}

/** Auth allows a minute; a token that has ended is refused at once, by the list of ended sessions. */
const MEMORY_MS = 50_000;
/** Tokens that are remembered: a few megabytes, and more than are in use at a time. */
const REMEMBERED_MAX = 10_000;
const FORM = /^tly_[A-Za-z0-9_-]{43}$/;

/** API tokens that auth knew to be valid a moment ago, by their SHA-256. */
export class ApiTokens {
  readonly #known = new LRUCache<string, { readonly session: TokenSession; readonly untilMs: number }>({
    max: REMEMBERED_MAX,
  });

  constructor(
    private readonly fetchOwner: FetchApiTokenOwner,
    private readonly clock: Clock,
  ) {}

  /** Whose token it is; undefined when it is unknown, expired or ended. @throws ServiceError SESSIONS_UNAVAILABLE */
  async find(text: string): Promise<TokenSession | undefined> {
    if (!FORM.test(text)) return undefined;
    const digest = hash('sha256', text, 'base64');
    const nowMs = this.clock.monotonicMs();
    const known = this.#known.get(digest);
    if (known !== undefined && nowMs < known.untilMs) return known.session;
    const session = await this.#fetch(text);
    if (session === undefined) {
      this.#known.delete(digest);
      return undefined;
    }
    const leftMs = session.expiresAt.getTime() - this.clock.now().getTime();
    this.#known.set(digest, { session, untilMs: nowMs + Math.min(MEMORY_MS, leftMs) });
    return session;
  }

  async #fetch(text: string): Promise<TokenSession | undefined> {
    try {
      const owner = await this.fetchOwner(text);
      const [user, token] = [required(owner.user, 'user'), required(owner.token, 'token')];
      return {
        userId: user.userId,
        username: user.username,
        source: source.toName(user.provider),
        sessionId: token.tokenId,
        expiresAt: required(token.expiresAt, 'expires_at'),
        scopes: token.scopes.map(tokenScope.toName),
      };
    } catch (err) {
      if (hasReason(err, 'TOKEN_INVALID')) return undefined;
      throw fail('SESSIONS_UNAVAILABLE', { cause: err });
    }
  }
}
