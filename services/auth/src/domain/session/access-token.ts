import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { SecretBox } from '../key/secret-box.js';
import { chooseSigner, openSigningKey } from '../key/signing-key.js';
import { type Role, type Roles, roleOf } from '../operator/operators.js';
import type { SigningKeyStore } from '../ports.js';
import type { Provider, User } from '../user/user.js';
import type { SessionId } from './session-id.js';

/** How long tokens live, in milliseconds. */
export interface TokenLifetimes {
  readonly accessMs: Readonly<Record<Provider, number>>;
  readonly refreshMs: number;
}

/** A signed token and the moment it expires (whole seconds, as in the claim). */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Whose token it is. */
export interface TokenSession {
  readonly id: SessionId;
  /** By a claim of the realm. */
  readonly claimedRole: Role | undefined;
}

/** Issues access tokens: ES256 JWTs with claims sub, sid, provider, username, iat, exp, iss, aud, of operators and teachers role, and header kid. */
export interface AccessTokenIssuer {
  issue(user: User, session: TokenSession, now: Date): Promise<AccessToken>;
}

/** What the claims of all tokens have in common. */
export interface AccessTokenSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly accessMs: TokenLifetimes['accessMs'];
  readonly roles: Roles;
}

/** Whole seconds since 1970, RFC 7519 NumericDate. */
const toNumericDate = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * Issues with the key that the database names at that moment, so that every copy notices a rotation with its next token.
 * Opened keys are kept in memory.
 */
export function createAccessTokenIssuer(
  store: SigningKeyStore,
  box: SecretBox,
  settings: AccessTokenSettings,
): AccessTokenIssuer {
  const opened = new Map<string, KeyObject>();
  return {
    async issue(user, session, now) {
      const keys = await store.listLive(now);
      const signer = chooseSigner(keys, now);
      for (const kid of opened.keys()) if (!keys.some((key) => key.kid === kid)) opened.delete(kid);
      const privateKey = opened.get(signer.kid) ?? openSigningKey(box, signer);
      opened.set(signer.kid, privateKey);
      const iat = toNumericDate(now);
      const exp = toNumericDate(new Date(now.getTime() + settings.accessMs[user.provider]));
      const role = roleOf(settings.roles, user, session.claimedRole);
      const claims = {
        sub: String(user.id),
        sid: session.id,
        provider: user.provider,
        username: user.username,
        iat,
        exp,
        iss: settings.issuer,
        aud: settings.audience,
        ...(role === undefined ? {} : { role }),
      };
      const token = jwt.sign(claims, privateKey, { algorithm: 'ES256', keyid: signer.kid });
      return { token, expiresAt: new Date(exp * 1000) };
    },
  };
}
