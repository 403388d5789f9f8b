import type { FetchedCredential, OwnedCredential, SealedCredential } from './credential/cluster-credential.js';
import type { Sealed } from './key/secret-box.js';
import type { SigningKey } from './key/signing-key.js';
import type { LinkPurpose, OneTimeLink } from './link/one-time-link.js';
import type { Role } from './operator/operators.js';
import type { SessionId } from './session/session-id.js';
import type { ThrottleCount, ThrottleScope } from './throttle/throttle-count.js';
import type { ApiToken, ApiTokenId, OwnedApiToken } from './token/api-token.js';

import type { User } from './user/user.js';

/** Users and their passwords. Every method is one transaction. */
export interface UserStore {
  find(id: bigint): Promise<User | undefined>;
  /** The local user of this name, with the password's hash. */
  findLocal(username: string): Promise<{ readonly user: User; readonly passwordHash: string } | undefined>;
  /** Whether the realm has given the name to somebody here. */
  isSso(username: string): Promise<boolean>;
  findPasswordHash(id: bigint): Promise<string | undefined>;
  /** @returns undefined when the name is taken */
  createLocal(username: string, passwordHash: string): Promise<User | undefined>;
  /**
   * The single-sign-on user of a realm subject, created at the first login, renamed when the realm has renamed it. An address of the
   * realm takes the place of an earlier one of the realm, and not of one that the user has given.
   * @returns undefined when another subject has the name
   */
  saveSso(subject: string, username: string, email: string | undefined): Promise<User | undefined>;
  /**
   * Binds the single-sign-on user of a name to another subject, and ends all that its former one had open.
   * @returns undefined when there is no such user, or the subject has another one
   */
  rebindSso(username: string, subject: string, now: Date): Promise<User | undefined>;
  /** The user's confirmed address. */
  findEmail(id: bigint): Promise<string | undefined>;
  /** Uses up a live link: its address becomes that of its user. @returns undefined when the link is unknown, expired or used */
  confirmEmail(
    tokenHash: Uint8Array<ArrayBuffer>,
    now: Date,
  ): Promise<{ readonly userId: bigint; readonly email: string } | undefined>;
  /** Takes the address and links to confirm another one away. */
  removeEmail(id: bigint): Promise<void>;
  /** Replaces a password's hash by another hash of the same password, unless it has changed meanwhile. */
  rehash(id: bigint, oldHash: string, newHash: string): Promise<void>;
  /** Changes what is given, all or nothing. @returns undefined when the password hash is no longer the old one */
  update(change: UserChange): Promise<User | undefined>;
  /**
   * Uses up a live link to a new password: sets the password, and ends the user's sessions and the API tokens that end with them.
   * @returns the user; undefined when the link is unknown, expired or used
   */
  resetPassword(tokenHash: Uint8Array<ArrayBuffer>, newHash: string, now: Date): Promise<bigint | undefined>;
}

/** A change of a user's row. */
export interface UserChange {
  readonly userId: bigint;
  readonly displayName?: string;
  /** A new password ends every session of the user but one. */
  readonly password?: {
    readonly oldHash: string;
    readonly newHash: string;
    readonly keptSessionId: SessionId | undefined;
    readonly changedAt: Date;
  };
}

/** A session as it is stored. */
export interface NewSession {
  readonly id: SessionId;
  readonly userId: bigint;
  /** SHA-256. */
  readonly refreshTokenHash: Uint8Array<ArrayBuffer>;
  readonly createdAt: Date;
  readonly refreshExpiresAt: Date;
  readonly accessExpiresAt: Date;
  /** By a claim of the realm. */
  readonly claimedRole: Role | undefined;
}

/** A session as its user may see it in a list. */
export interface ListedSession {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session that has neither ended nor expired. */
export interface LiveSession {
  readonly id: SessionId;
  readonly user: User;
  /** By a claim of the realm. */
  readonly claimedRole: Role | undefined;
}

/** Sessions by id and refresh token. */
export interface SessionStore {
  /** @returns false when its user is blocked or deleted */
  create(session: NewSession): Promise<boolean>;
  /** A session that has neither ended nor expired, with its user. */
  findLive(refreshTokenHash: Uint8Array<ArrayBuffer>, now: Date): Promise<LiveSession | undefined>;
  /** Notes that an access token lives until then. @returns false when the session has ended: hand no token out */
  extendAccess(id: SessionId, accessExpiresAt: Date): Promise<boolean>;
  /** Ends a session of this user. @returns whether it was live */
  end(id: SessionId, userId: bigint, now: Date): Promise<boolean>;
  /** Ends the session of a refresh token. @returns undefined when none that lives has it */
  endByRefreshToken(
    refreshTokenHash: Uint8Array<ArrayBuffer>,
    now: Date,
  ): Promise<{ readonly id: SessionId; readonly userId: bigint } | undefined>;
  /** Ends all sessions of this user, and his API tokens that end with them. @returns how many sessions */
  endAll(userId: bigint, now: Date): Promise<number>;
  /** Sessions of this user that have neither ended nor expired, the newest first; at most `rowsMax`. */
  listLive(userId: bigint, now: Date, rowsMax: number): Promise<ListedSession[]>;
  /** Ended sessions with access tokens that expire after the given moment. */
  listEnded(accessExpiresAfter: Date): Promise<SessionId[]>;
  /** Deletes at most `rowsMax` sessions that are expired and no longer listed as ended. @returns how many */
  deleteExpired(now: Date, accessExpiredBefore: Date, rowsMax: number): Promise<number>;
}

/** API tokens by id and hash. */
export interface ApiTokenStore {
  /** Keeps a token. @returns false when the user has `perUserMax` valid ones already */
  create(userId: bigint, token: ApiToken, tokenHash: Uint8Array<ArrayBuffer>, perUserMax: number): Promise<boolean>;
  /** The user's valid tokens, the newest first. */
  list(userId: bigint, now: Date): Promise<ApiToken[]>;
  /** The valid token with this hash, and its owner; notes the minute of its use. */
  use(tokenHash: Uint8Array<ArrayBuffer>, now: Date): Promise<OwnedApiToken | undefined>;
  /** Ends a valid token of this user. @returns whether there was one */
  end(id: ApiTokenId, userId: bigint, now: Date): Promise<boolean>;
  /** Tokens that have ended after the given moment. */
  listEnded(after: Date): Promise<ApiTokenId[]>;
  /** Deletes at most `rowsMax` tokens that ended or expired before. @returns how many */
  deleteExpired(before: Date, rowsMax: number): Promise<number>;
}

/** Links that work once. */
export interface LinkStore {
  /** Keeps a link, in place of those of its user and purpose. */
  replace(link: OneTimeLink): Promise<void>;
  /** The user of a link that has neither expired nor been used. */
  findLive(tokenHash: Uint8Array<ArrayBuffer>, purpose: LinkPurpose, now: Date): Promise<bigint | undefined>;
  /** Deletes at most `rowsMax` links that have expired. @returns how many */
  deleteExpired(now: Date, rowsMax: number): Promise<number>;
}

/** Counts of attempts, shared by all copies of the service. */
export interface ThrottleStore {
  /** Counts one attempt, unless the window is used up. Atomic: of n at once, exactly the allowed ones get through. */
  take(count: ThrottleCount, now: Date): Promise<ThrottlePermit>;
  /** Takes an attempt back, if its window still runs. */
  giveBack(scope: ThrottleScope, subject: Uint8Array<ArrayBuffer>, windowEndsAt: Date): Promise<void>;
  /** Whether the local user of this name has logged in from the address since then. */
  isKnownAddress(username: string, address: Uint8Array<ArrayBuffer>, since: Date): Promise<boolean>;
  saveKnownAddress(userId: bigint, address: Uint8Array<ArrayBuffer>, now: Date): Promise<void>;
  /** Deletes at most `rowsMax` counts of windows that are over. @returns how many */
  deleteExpired(now: Date, rowsMax: number): Promise<number>;
  /** Deletes at most `rowsMax` addresses without a login since then. @returns how many */
  deleteKnownAddresses(before: Date, rowsMax: number): Promise<number>;
}

/** Whether an attempt may go on, and when the window of its count ends. */
export interface ThrottlePermit {
  readonly isGranted: boolean;
  readonly windowEndsAt: Date;
}

/** Key pairs of the access tokens. */
export interface SigningKeyStore {
  /** Keys whose tokens are accepted at this moment, newest first. */
  listLive(now: Date): Promise<SigningKey[]>;
  /** Adds a key if there is no newest one yet. @returns false when another copy was faster */
  createFirst(key: SigningKey): Promise<boolean>;
  /** Adds a newest key and gives the former ones an end. @returns false when another rotation was faster */
  rotate(key: SigningKey, othersVerifyUntil: Date): Promise<boolean>;
  /** Keys that another encryption key than this one sealed. */
  listSealedByOthers(encryptionKeyId: string, rowsMax: number): Promise<SigningKey[]>;
  /** Replaces a sealed key, if it is still sealed by that encryption key. */
  reseal(kid: string, from: string, to: Sealed): Promise<void>;
  deleteExpired(now: Date, rowsMax: number): Promise<number>;
}

/** SSH credentials, sealed. */
export interface CredentialStore {
  /** The credential, if its certificate is still valid. */
  find(userId: bigint, now: Date): Promise<OwnedCredential | undefined>;
  save(credential: SealedCredential, expiresAt: Date | undefined, now: Date): Promise<void>;
  listSealedByOthers(encryptionKeyId: string, rowsMax: number): Promise<SealedCredential[]>;
  /** Ids of all encryption keys that sealed one. */
  listEncryptionKeyIds(): Promise<string[]>;
  /** Replaces a credential, if it is still the one that was read. */
  reseal(old: SealedCredential, to: Sealed): Promise<void>;
  /** Deletes at most `rowsMax` credentials that are of no use any more. @returns how many */
  deleteExpired(now: Date, rowsMax: number): Promise<number>;
}

/** Public keys of the realm: a JWK set (RFC 7517 section 5), not yet checked. */
export interface RealmKeys {
  readonly keys: readonly object[];
}

/** Where the realm takes what; URLs. */
export interface RealmEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Absent: it has no device flow. */
  readonly deviceAuthorization: string | undefined;
}

/** An authorization code with what proves that it is ours. */
export interface CodeGrant {
  readonly clientId: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** What a realm gives for a code. */
export interface RealmTokens {
  readonly accessToken: string;
  readonly idToken: string;
}

/** The single-sign-on realm. */
export interface SsoRealm {
  /** @throws ServiceError SSO_REALM_UNAVAILABLE */
  endpoints(): Promise<RealmEndpoints>;
  /** Exchanges a code, once. @throws ServiceError SSO_CODE_INVALID, SSO_REALM_UNAVAILABLE */
  exchangeCode(grant: CodeGrant): Promise<RealmTokens>;
  /** @throws ServiceError SSO_REALM_UNAVAILABLE */
  keys(): Promise<RealmKeys>;
  /** Reads the keys again, if that was not done a moment ago. @throws ServiceError SSO_REALM_UNAVAILABLE */
  refreshedKeys(): Promise<RealmKeys>;
}

/** Where SSH certificates come from. */
export interface CertificateProxy {
  /** @throws Error when there is none to be had, for whatever reason; its message holds no secret */
  fetchCredential(ssoToken: string): Promise<FetchedCredential>;
}
