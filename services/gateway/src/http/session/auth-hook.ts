import { type Clock, kitError } from '@tally/service-kit';
import { fail } from '../../errors.js';
import { AccessTokens, type Session, TOKEN_AUDIENCE, TOKEN_ISSUER } from './access-token.js';
import type { ApiTokens } from './api-tokens.js';
import { hasSessionCookie, readCookie } from './cookies.js';
import type { EndedSessions } from './ended-sessions.js';
import type { SigningKeys } from './signing-keys.js';
import type { TokenScope } from './token-scopes.js';

/**
 * What a route asks of its caller. `refresh` and `update_key` are checked by the service that owns the secret;
 * `either` is a session, or a refresh token, which that service checks. `operator` is the session of one, `teacher` that of a
 * teacher or an operator.
 */
export type Auth = 'none' | 'session' | 'sso' | 'operator' | 'teacher' | 'refresh' | 'either' | 'update_key';

/** Whether a route wants a session and takes nothing else for it but an API token. */
const TAKES_SESSION: ReadonlySet<Auth> = new Set<Auth>(['session', 'sso', 'operator', 'teacher']);
export const takesSession = (auth: Auth): boolean => TAKES_SESSION.has(auth);

export interface AuthHookOptions {
  readonly outageMaxMs: number;
  readonly origins: readonly string[];
  readonly keys: SigningKeys;
  readonly ended: EndedSessions;
  readonly apiTokens: ApiTokens;
  readonly clock: Clock;
}

/** Decides whose request it is, before anything of it is read. */
export class AuthHook {
  readonly #origins: ReadonlySet<string>;
  readonly #tokens: AccessTokens;

  constructor(private readonly options: AuthHookOptions) {
    this.#origins = new Set(options.origins);
    const { keys, clock } = options;
    const names = { issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE };
    const rules = { ...names, findKey: (kid: string) => keys.find(kid), now: () => clock.now() };
    this.#tokens = new AccessTokens(rules);
  }

  /** True for the gateway's own origin and for those on the allow-list. */
  isAllowedOrigin(origin: string, own: string): boolean {
    return origin === own || this.#origins.has(origin);
  }

  /**
   * Refuses a changing request that a page of an origin that is not allowed sends with the visitor's cookies: they are
   * SameSite=None by contract. No Origin at all means a script, whose user holds the cookies knowingly.
   * @throws ServiceError ORIGIN_NOT_ALLOWED
   */
  checkOrigin(method: string, origin: string | undefined, cookies: string | undefined): void {
    if (method === 'GET' || method === 'HEAD' || origin === undefined) return;
    if (hasSessionCookie(cookies)) throw fail('ORIGIN_NOT_ALLOWED');
  }

  /**
   * The session of a request; undefined on routes without one, and where `either` finds no valid access token.
   * @throws ServiceError TOKEN_MISSING, TOKEN_INVALID, SSO_REQUIRED, ROLE_REQUIRED, SESSIONS_UNAVAILABLE
   */
  async authenticate(auth: Auth, cookies: string | undefined): Promise<Session | undefined> {
    if (!takesSession(auth) && auth !== 'either') return undefined;
    const token = readCookie(cookies, 'access_token');
    if (token === undefined && auth === 'either') return undefined;
    if (token === undefined) throw fail('TOKEN_MISSING');
    const { keys, ended, outageMaxMs } = this.options;
    const session = await this.#tokens.verify(token);
    if (ended.ageMs === Number.POSITIVE_INFINITY) await ended.refresh(); // the first moments after the start
    if (!keys.isLoaded || ended.ageMs > outageMaxMs) throw fail('SESSIONS_UNAVAILABLE');
    const isValid = session !== undefined && !ended.has(session.sessionId);
    if (!isValid && auth === 'either') return undefined;
    if (!isValid) throw fail('TOKEN_INVALID');
    if (auth === 'sso' && session.source !== 'sso') throw fail('SSO_REQUIRED');
    if (auth === 'operator' && session.role !== 'operator') throw kitError('ROLE_REQUIRED');
    if (auth === 'teacher' && session.role === undefined) throw kitError('ROLE_REQUIRED');
    return session;
  }

  /**
   * Who acts by an API token: its owner, within its scopes. Cookies beside it are not looked at.
   * @param scope - what the route needs; undefined: it takes no token
   * @throws ServiceError TOKEN_INVALID, TOKEN_SCOPE_MISSING, SSO_REQUIRED, SESSIONS_UNAVAILABLE
   */
  async authenticateToken(auth: Auth, token: string, scope: TokenScope | undefined): Promise<Session> {
    const { apiTokens, ended, outageMaxMs } = this.options;
    const session = await apiTokens.find(token);
    if (ended.ageMs > outageMaxMs) await ended.refresh();
    if (ended.ageMs > outageMaxMs) throw fail('SESSIONS_UNAVAILABLE');
    if (session === undefined || ended.has(session.sessionId)) throw fail('TOKEN_INVALID');
    if (scope === undefined) throw fail('TOKEN_SCOPE_MISSING');
    if (!session.scopes.includes(scope))
      throw fail('TOKEN_SCOPE_MISSING', { message: `The API token lacks the scope "${scope}"` });
    if (auth === 'sso' && session.source !== 'sso') throw fail('SSO_REQUIRED');
    return session;
  }

  /** Whether a session that was authenticated before still is. */
  isAlive({ sessionId, expiresAt }: Session): boolean {
    const { ended, clock, outageMaxMs } = this.options;
    return clock.now() < expiresAt && ended.ageMs <= outageMaxMs && !ended.has(sessionId);
  }
}
