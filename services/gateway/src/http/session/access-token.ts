import { hash, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** Who is logged in, by a verified access token. */
export interface Session {
  readonly userId: bigint;
  readonly sessionId: string;
  readonly username: string;
  readonly source: 'local' | 'sso';
  /** Of the token. */
  readonly expiresAt: Date;
  /** Absent: an ordinary user. */
  readonly role?: 'operator' | 'teacher';
}

/** Claims iss and aud of the tokens that auth makes. Whose they are its keys say, which each deployment has of its own. */
export const [TOKEN_ISSUER, TOKEN_AUDIENCE] = ['tally-auth', 'tally-gateway'] as const;

/** What makes an access token ours. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** Key with this id, if it is live. */
  findKey(kid: string): Promise<KeyObject | undefined>;
  now(): Date;
}

/** Verified tokens that are remembered: a few megabytes, and more than are in use within a token's life. */
const REMEMBERED_MAX = 10_000;
/** Longer tokens are not ours: the claims have bounded lengths. */
const TOKEN_LENGTH_MAX = 4096;

const header = z.object({
  alg: z.literal('ES256'),
  kid: z.string().min(1).max(128),
  typ: z.enum(['JWT', 'at+jwt']).optional(),
  crit: z.undefined().optional(), // RFC 7515 4.1.11: extensions that are not understood refuse the token
});

const claims = z.object({
  sub: z.string().regex(/^[1-9]\d{0,17}$/),
  sid: z.string().min(1).max(128),
  provider: z.enum(['local', 'sso']),
  username: z.string().min(1).max(256),
  iat: z.number(),
  exp: z.number(),
  role: z.enum(['operator', 'teacher']).optional().catch(undefined), // another release may know others
});

/** A token that was verified: what it says, and the key that signed it. */
interface Verified {
  readonly session: Session;
  readonly keyId: string;
  readonly key: KeyObject;
}

/**
 * Verifies access tokens without a call: ES256 only, a live key, issuer, audience, expiry, and the type of every claim.
 * Anything else is undefined; it never throws for what a client can send. A token that comes again is known by its
 * SHA-256, so that its signature is verified once; whether its key is live and its time is not over is looked at
 * every time.
 */
export class AccessTokens {
  readonly #verified: LRUCache<string, Verified>;

  constructor(
    private readonly rules: TokenRules,
    rememberedMax = REMEMBERED_MAX,
  ) {
    this.#verified = new LRUCache({ max: rememberedMax });
  }

  async verify(token: string): Promise<Session | undefined> {
    if (token.length > TOKEN_LENGTH_MAX) return undefined;
    const digest = hash('sha256', token, 'base64');
    const known = this.#verified.get(digest);
    const isKnown =
      known !== undefined &&
      this.rules.now() < known.session.expiresAt &&
      (await this.rules.findKey(known.keyId)) === known.key;
    if (isKnown) return known.session;
    const verified = await verifyAccessToken(token, this.rules);
    if (verified === undefined) this.#verified.delete(digest);
    else this.#verified.set(digest, verified);
    return verified?.session;
  }
}

async function verifyAccessToken(token: string, rules: TokenRules): Promise<Verified | undefined> {
  const keyId = readKeyId(token);
  const key = keyId === undefined ? undefined : await rules.findKey(keyId);
  if (keyId === undefined || key === undefined) return undefined;
  const nowSeconds = Math.floor(rules.now().getTime() / 1000);
  const verified = verifySignature(token, key, rules, nowSeconds);
  const parsed = claims.safeParse(verified);
  if (!parsed.success || parsed.data.iat > nowSeconds + CLOCK_SKEW_SECONDS) return undefined;
  const { sub, sid, username, provider, exp, role } = parsed.data;
  const session = {
    userId: BigInt(sub),
    sessionId: sid,
    username,
    source: provider,
    expiresAt: new Date(exp * 1000),
    ...(role === undefined ? {} : { role }),
  };
  return { session, keyId, key };
}

/** How far the clock of auth may be ahead of ours: concerns tokens issued this moment. */
const CLOCK_SKEW_SECONDS = 30;

function readKeyId(token: string): string | undefined {
  const end = token.indexOf('.');
  if (end <= 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token.slice(0, end), 'base64url').toString('utf8'));
    return header.parse(parsed).kid;
  } catch {
    return undefined;
  }
}

function verifySignature(token: string, key: KeyObject, rules: TokenRules, nowSeconds: number): unknown {
  try {
    return jwt.verify(token, key, {
      algorithms: ['ES256'],
      issuer: rules.issuer,
      audience: rules.audience,
      clockTimestamp: nowSeconds,
    });
  } catch {
    return undefined;
  }
}
