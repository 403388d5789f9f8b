import { createPublicKey, randomBytes } from 'node:crypto';
import { auth, authOperator } from '@tally/contracts';
import {
  type ClientOf,
  type Clock,
  createGrpcClient,
  createLogger,
  type GrpcConnection,
  withContext,
} from '@tally/service-kit';
import {
  createTestDatabase,
  type OidcProvider,
  runStatement,
  startOidcProvider,
  testCallers,
  testCallerToken,
} from '@tally/testkit';
import jwt from 'jsonwebtoken';
import type { AuthConfig } from '../src/config.js';
import { type AuthOverrides, startTestAuth } from './start.js';

export const MIGRATIONS = 'services/auth/prisma/migrations';
export const PASSWORD = 'correct horse battery';
export const ADDRESS = '192.0.2.7';
/** Key of all copies on one database. */
export const ENCRYPTION_KEY = [{ id: 'first', key: randomBytes(32) }] as const satisfies AuthConfig['encryptionKey'];

export type AuthClient = ClientOf<typeof auth.AuthServiceService> & GrpcConnection;

export type OperatorClient = ClientOf<typeof authOperator.AuthOperatorServiceService> & GrpcConnection;

/** One running copy of auth with clients for its callers. */
export interface AuthCopy {
  readonly gateway: AuthClient;
  readonly bridge: AuthClient;
  readonly jobs: AuthClient;
  /** The gateway's client of what operators do. */
  readonly operator: OperatorClient;
  stop(): Promise<void>;
}

/** Auth on a database of its own. */
export interface AuthFixture extends AuthCopy {
  readonly databaseUrl: string;
  /** Log lines of all copies. */
  readonly lines: string[];
  /** Audit lines of all copies. */
  audit(): Record<string, unknown>[];
  /** Starts one more copy on the same database. */
  addCopy(overrides?: AuthOverrides): Promise<AuthCopy>;
  /** Stops the first copy alone; the database stays. */
  stopFirst(): Promise<void>;
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** Starts auth as production does, but for the cost of its hashes. `stop` ends all copies and drops the database. */
export async function startAuthFixture(overrides: AuthOverrides = {}, clock?: Clock): Promise<AuthFixture> {
  const database = await createTestDatabase(MIGRATIONS);
  const lines: string[] = [];
  const logger = createLogger({ service: 'auth', level: 'debug', write: (line) => lines.push(line) });
  const copies: AuthCopy[] = [];
  const addCopy = async (more: AuthOverrides = {}): Promise<AuthCopy> => {
    const service = await startTestAuth(
      {
        databaseUrl: database.url,
        callers: testCallers('gateway', 'batch-bridge', 'jobs'),
        encryptionKey: ENCRYPTION_KEY,
        ...overrides,
        ...more,
      },
      logger,
      clock,
    );
    const connect = (caller: string): AuthClient =>
      createGrpcClient(auth.AuthServiceService, {
        target: `127.0.0.1:${service.port}`,
        caller,
        token: testCallerToken(caller),
        timeoutMs: 60_000,
      });
    const [gateway, bridge, jobs] = [connect('gateway'), connect('batch-bridge'), connect('jobs')];
    const operator = createGrpcClient(authOperator.AuthOperatorServiceService, {
      target: `127.0.0.1:${service.port}`,
      caller: 'gateway',
      token: testCallerToken('gateway'),
      timeoutMs: 60_000,
    });
    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      gateway.close();
      bridge.close();
      jobs.close();
      operator.close();
      stopping ??= service.stop();
      return stopping;
    };
    const copy = { gateway, bridge, jobs, operator, stop };
    copies.push(copy);
    return copy;
  };
  const first = await addCopy();
  return {
    ...first,
    databaseUrl: database.url,
    lines,
    audit: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.audit === true),
    addCopy,
    stopFirst: () => first.stop(),
    query: (sql, values) => runStatement(database.url, sql, values),
    async stop() {
      for (const copy of copies) await copy.stop();
      await database.drop();
    },
  };
}

/** The service with a realm whose logins it takes, by code too. */
export async function startSsoFixture(
  overrides: AuthOverrides = {},
): Promise<AuthFixture & { readonly realm: OidcProvider }> {
  const realm = await startOidcProvider();
  const { issuer: ssoIssuerUrl, audience: ssoAudience, clientId: ssoClientId } = realm;
  const fixture = await startAuthFixture({ ssoIssuerUrl, ssoAudience, ssoClientId, ...overrides });
  const stop = async () => {
    await fixture.stop();
    await realm.stop();
  };
  return { ...fixture, realm, stop };
}

/** Registers a user and returns the id. */
export async function register({ gateway }: AuthCopy, username: string, password = PASSWORD): Promise<bigint> {
  const { user } = await gateway.createUser({ username, password, remoteAddress: ADDRESS });
  if (user === undefined) throw new Error('no user came back');
  return user.userId;
}

/** Logs a local user in. */
export async function login({ gateway }: AuthCopy, username: string, password = PASSWORD, remoteAddress = ADDRESS) {
  const { session } = await gateway.createSession({ username, password, remoteAddress, deviceToken: '' });
  if (session === undefined) throw new Error('no session came back');
  return session;
}

/** Ends a session of the acting user. */
export function endSession({ gateway }: AuthCopy, sessionId: string) {
  return gateway.deleteSession({ which: { $case: 'sessionId', value: sessionId } });
}

/** Makes calls in the name of a user. */
export function as<T>(userId: bigint, work: () => Promise<T>): Promise<T> {
  return withContext({ requestId: 'test', userId }, work);
}

/** Makes calls in the name of an operator. */
export function asOperator<T>(userId: bigint, work: () => Promise<T>, requestId = 'of an operator'): Promise<T> {
  return withContext({ requestId, userId, actingRole: 'operator' }, work);
}

/** Makes calls in the name of a teacher. */
export function asTeacher<T>(userId: bigint, work: () => Promise<T>): Promise<T> {
  return withContext({ requestId: 'of a teacher', userId, actingRole: 'teacher' }, work);
}

/** Verifies an access token as the gateway does and gives its claims. */
export async function verify({ gateway }: AuthCopy, token: string): Promise<jwt.JwtPayload> {
  const { keys } = await gateway.listSigningKeys({});
  const kid = jwt.decode(token, { complete: true })?.header.kid;
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new Error(`no key ${kid} is published`);
  const publicKey = createPublicKey({ key: JSON.parse(key.publicJwkJson), format: 'jwk' });
  const claims = jwt.verify(token, publicKey, {
    algorithms: ['ES256'],
    issuer: 'tally-auth',
    audience: 'tally-gateway',
    ignoreExpiration: true,
  });
  if (typeof claims === 'string') throw new Error('claims are an object');
  return claims;
}

/** Session id of an access token. */
export async function sessionIdOf(copy: AuthCopy, token: string): Promise<string> {
  return String((await verify(copy, token)).sid);
}

/**
 * How far two samples are apart: Mann and Whitney's U as multiples of its standard deviation were they of one distribution
 * (normal approximation; equal values do not occur).
 */
export function mannWhitneyZ(a: readonly number[], b: readonly number[]): number {
  const ranked = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  ranked.sort((one, other) => one.value - other.value);
  const rankSum = ranked.reduce((sum, { isA }, index) => sum + (isA ? index + 1 : 0), 0);
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  return (u - (a.length * b.length) / 2) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
}
