import { availableParallelism } from 'node:os';
import {
  addDatabaseClock,
  addDatabaseMetrics,
  addLoop,
  awaitSchema,
  type Clock,
  ConfigError,
  type Database,
  type Lifecycle,
  type Logger,
  openDatabase,
  placeOf,
  Readiness,
  type Running,
  readDatabaseClock,
  startMetrics,
  startParts,
  startRpcServer,
  systemClock,
} from '@tally/service-kit';
import { type AuthBounds, BOUNDS } from './bounds.js';
import { createCertificateProxy } from './clients/certificate-proxy.js';
import { createMailServer } from './clients/mail-server.js';
import { createSsoRealm } from './clients/sso-realm.js';
import type { AuthConfig } from './config.js';
import { createAudit } from './domain/audit.js';
import { startHousekeeping } from './domain/delete-expired.js';
import { createSecretCheck } from './domain/key/check-secrets.js';
import { resealSecrets } from './domain/key/reseal-secrets.js';
import { createFirstSigningKey, rotateSigningKey } from './domain/key/rotate-signing-key.js';
import { createSecretBox } from './domain/key/secret-box.js';
import type { SigningKey } from './domain/key/signing-key.js';
import type { NewLink } from './domain/link/one-time-link.js';
import { sendMails } from './domain/mail/send-mails.js';
import { readNamedUsers } from './domain/operator/operators.js';
import { createAccessTokenIssuer } from './domain/session/access-token.js';
import { rebindSsoAccount } from './domain/session/rebind-sso-account.js';
import { PendingAttempts } from './domain/throttle/pending-attempts.js';
import { createAccount } from './domain/user/create-account.js';
import { createPasswordReset } from './domain/user/create-password-reset.js';
import { HashQueue } from './domain/user/hash-queue.js';
import { createPasswords, type Passwords } from './domain/user/password.js';
import type { User } from './domain/user/user.js';
import { operatorRpcs } from './grpc/operator-rpcs.js';
import { type AuthPorts, authRpcs } from './grpc/server.js';
import { countAudit } from './metrics.js';
import { startBcryptThreads } from './process/bcrypt-threads.js';
import { createApiTokenStore } from './storage/api-token-store.js';
import { createClassStore } from './storage/class-store.js';
import { createClient } from './storage/client.js';
import { createCredentialStore } from './storage/credential-store.js';
import { createGroupStore } from './storage/group-store.js';
import { createLinkStore } from './storage/link-store.js';
import { createMailStore } from './storage/mail-store.js';
import { createOperatorStore } from './storage/operator-store.js';
import { createSessionStore } from './storage/session-store.js';
import { createSigningKeyStore } from './storage/signing-key-store.js';
import { createThrottleStore } from './storage/throttle-store.js';
import { createUserStore } from './storage/user-store.js';

/** Claims of access tokens: who issues them, and who takes them. */
const TOKEN_ISSUER = 'tally-auth';
const TOKEN_AUDIENCE = 'tally-gateway';

/** What auth is started with; bounds that are not given are the usual ones. */
type Options = AuthConfig & Partial<AuthBounds>;
type Config = AuthConfig & AuthBounds;

/** Starts auth; its database must be migrated. */
export async function startAuth(
  options: Options,
  logger: Logger,
  ownClock?: Clock,
): Promise<Running & { readonly port: number }> {
  const config: Config = { ...BOUNDS, ...options };
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = await startMetrics(lifecycle, 'auth', config.metricsAddress);
    const db = openDatabase({ url: config.databaseUrl, connectionsMax: config.databaseConnectionsMax });
    lifecycle.add('database', () => db.close());
    addDatabaseMetrics(metrics, db);
    const checkDatabase = await awaitSchema(lifecycle, config, db, import.meta.url);
    const hashesAtOnceMax = config.hashesAtOnceMax || availableParallelism();
    const bcrypt = startBcryptThreads(hashesAtOnceMax);
    lifecycle.add('password hashes', () => bcrypt.stop());
    const queueLimits = {
      runningMax: hashesAtOnceMax,
      waitingMax: config.hashesWaitingMax,
      waitingPerLaneMax: config.hashesWaitingPerAddressMax,
    };
    const queue = new HashQueue(queueLimits, ownClock ?? systemClock);
    const passwords = await createPasswords(bcrypt, config.bcryptCost, queue);
    // what one copy stores, such as how long somebody must wait, is read by the others
    const clock =
      ownClock ??
      (await lifecycle.start('database', placeOf(config.databaseUrl), () => addDatabaseClock(lifecycle, db)));
    const uncounted = createPorts(config, db, passwords, logger, clock);
    const counted = { ...uncounted, audit: countAudit(metrics, uncounted.audit) };
    await lifecycle.start('database', placeOf(config.databaseUrl), () => createFirstSigningKey(counted));
    const ports = { ...counted, mails: startMails(config, counted, lifecycle) };
    const { housekeepingIntervalMs, housekeepingRowsMax: rowsMax, knownAddressMs, mailMemoryMs } = config;
    lifecycle.add(
      'housekeeping',
      startHousekeeping({ ...ports, rowsMax, knownAddressMs, mailMemoryMs }, housekeepingIntervalMs, logger),
    );
    return startRpcServer(lifecycle, config, {
      implementations: [authRpcs(ports), operatorRpcs({ ...ports, publicUrl: config.publicUrl })],
      readiness: new Readiness({ database: checkDatabase, 'encryption key': createSecretCheck(ports) }, logger),
      metrics,
      messageBytesMax: 16 * 1024 * 1024, // ListEndedSessions: 400 000 sessions ended within half an hour
    });
  });
}

function createPorts(config: Config, db: Database, passwords: Passwords, logger: Logger, clock: Clock): AuthPorts {
  const keyPorts = createKeyPorts(config, db, logger, clock);
  const roles = { operators: readNamedUsers(config.operators), teachers: readNamedUsers(config.teachers) };
  return {
    ...keyPorts,
    logger,
    tokenLimits: { perUserMax: config.tokensPerUserMax, lifetimeMaxMs: config.tokenLifetimeMaxMs },
    pending: new PendingAttempts(),
    passwords,
    accessTokens: createAccessTokenIssuer(keyPorts.signingKeys, keyPorts.box, {
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      accessMs: accessMsOf(config),
      roles,
    }),
    roles,
    sso: createSso(config, clock),
    certificateProxy: createProxy(config),
    limits: {
      windowMs: config.throttleWindowMs,
      failuresPerUserMax: config.failuresPerUserMax,
      failuresPerAddressMax: config.failuresPerAddressMax,
      registrationsPerAddressMax: config.registrationsPerAddressMax,
      unknownNamesPerUserMax: config.unknownNamesPerUserMax,
      knownAddressMs: config.knownAddressMs,
    },
    registration: { isEnabled: config.registrationEnabled, passwordLengthMin: config.passwordLengthMin },
    passwordLengthMin: config.passwordLengthMin,
    refreshMs: config.refreshTokenMs,
    isMailing: config.smtpHost !== '',
    resetAnswerMs: config.resetAnswerMs,
  };
}

function createStores(db: Database) {
  const client = createClient(db);
  return {
    users: createUserStore(client),
    sessions: createSessionStore(client, db),
    apiTokens: createApiTokenStore(client, db),
    links: createLinkStore(client, db),
    mails: createMailStore(client, db),
    throttles: createThrottleStore(client, db),
    signingKeys: createSigningKeyStore(client, db),
    credentials: createCredentialStore(client, db),
    groups: createGroupStore(client, db),
    operator: createOperatorStore(client, db),
    classes: createClassStore(client, db),
  };
}

/** What the service and its commands need to work with secrets. */
function createKeyPorts(config: AuthConfig, db: Database, logger: Logger, clock: Clock) {
  return {
    ...createStores(db),
    box: createSecretBox(config.encryptionKey),
    audit: createAudit(logger),
    clock,
  };
}

const accessMsOf = (config: AuthBounds) => ({ local: config.accessTokenLocalMs, sso: config.accessTokenSsoMs });

function createSso(config: Config, clock: Clock): AuthPorts['sso'] {
  if (config.ssoIssuerUrl === '') return undefined;
  if (config.ssoAudience === '') throw new ConfigError(['AUTH_SSO_AUDIENCE is required with AUTH_SSO_ISSUER_URL']);
  const realm = createSsoRealm({
    issuerUrl: config.ssoIssuerUrl,
    timeoutMs: config.ssoRealmTimeoutMs,
    keysMaxAgeMs: config.ssoKeysMaxAgeMs,
    intervalMinMs: config.ssoKeysIntervalMinMs,
    clock,
  });
  const rules = {
    issuer: config.ssoIssuerUrl,
    audience: config.ssoAudience,
    tokenTypes: config.ssoTokenTypes,
    usernameClaim: config.ssoUsernameClaim,
    requiredClaim: config.ssoRequiredClaim,
    groupsClaim: config.ssoGroupsClaim,
    operatorClaim: config.operatorClaim,
    teacherClaim: config.teacherClaim,
    clockSkewMs: config.ssoClockSkewMs,
    tokenAgeMaxMs: config.ssoTokenAgeMaxMs,
    tokenBytesMax: config.ssoTokenBytesMax,
  };
  const client = config.ssoClientId === '' ? undefined : { clientId: config.ssoClientId, scope: config.ssoScope };
  return { realm, rules, client };
}

function createProxy(config: Config): AuthPorts['certificateProxy'] {
  if (config.certProxyUrl === '') return undefined;
  const { certProxyUrl: url, certProxyTimeoutMs: timeoutMs, certProxyBytesMax: bytesMax } = config;
  return createCertificateProxy({ url, timeoutMs, bytesMax });
}

/** Sends mails, where there is a mail server. @returns where mails are kept: those of this copy are sent at once */
function startMails(config: Config, ports: AuthPorts, lifecycle: Lifecycle): AuthPorts['mails'] {
  const { mails, clock } = ports;
  const { smtpHost: host, smtpPort: port, smtpSecurity: security, smtpFrom: from, publicUrl, mailIntervalMs } = config;
  const { mailHoldMs: holdMs } = config;
  if (host === '') return mails;
  const missing = { AUTH_SMTP_FROM: from, AUTH_PUBLIC_URL: publicUrl };
  const faults = Object.entries(missing).flatMap(([name, text]) =>
    text === '' ? `${name} is required with AUTH_SMTP_HOST` : [],
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const settings = { host, port, security, from, username: config.smtpUsername, password: config.smtpPassword };
  const domain = from.replace(/^.*@/, '').replace('>', '');
  const stopping = new AbortController();
  const work = { ...ports, server: createMailServer(settings, holdMs * 0.4), frame: { publicUrl, domain }, holdMs };
  const loop = addLoop(lifecycle, { name: 'mails', intervalMs: mailIntervalMs, clock }, async () => {
    while (await sendMails(work, stopping.signal)); // until nothing is due
  });
  lifecycle.add('stop of mails', () => stopping.abort());
  const create: typeof mails.create = async (...mail) => {
    const isKept = await mails.create(...mail);
    loop.wake();
    return isKept;
  };
  return { ...mails, create };
}

/** A command's work, at the time of the running copies. */
async function withDatabase<T>(
  config: AuthConfig,
  ownClock: Clock | undefined,
  work: (db: Database, clock: Clock) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ url: config.databaseUrl, connectionsMax: 2 });
  try {
    return await work(db, ownClock ?? (await readDatabaseClock(db)));
  } finally {
    await db.close();
  }
}

/** Makes a new signing key; for the command of that name, beside running copies of the service. */
export function runRotation(
  options: Options,
  logger: Logger,
  isEmergency: boolean,
  ownClock?: Clock,
): Promise<SigningKey> {
  const config: Config = { ...BOUNDS, ...options };
  const rotation = { delayMs: config.signingKeyDelayMs, accessMs: accessMsOf(config), isEmergency };
  return withDatabase(config, ownClock, (db, clock) =>
    rotateSigningKey(createKeyPorts(config, db, logger, clock), rotation),
  );
}

/** Gives the account of a name to another subject of the realm; for the command of that name, beside running copies. */
export function runRebind(config: AuthConfig, logger: Logger, username: string, subject: string): Promise<boolean> {
  return withDatabase(config, undefined, (db, clock) =>
    rebindSsoAccount(
      { users: createUserStore(createClient(db)), audit: createAudit(logger), clock },
      username,
      subject,
    ),
  );
}

/**
 * Makes a link to a new password of a local user; for the command of that name, beside running copies.
 * @throws ServiceError USER_NOT_FOUND, PASSWORD_NOT_LOCAL
 */
export function runPasswordReset(config: AuthConfig, logger: Logger, username: string): Promise<NewLink> {
  return withDatabase(config, undefined, (db, clock) =>
    createPasswordReset({ ...createStores(db), audit: createAudit(logger), clock }, username),
  );
}

/**
 * Makes a local account, also where nobody may register and of a name that AUTH_OPERATORS reserves; for the command of that name, beside running
 * copies. @throws ServiceError FIELDS_INVALID, USERNAME_TAKEN
 */
export function runCreateAccount(
  config: AuthConfig,
  logger: Logger,
  account: { readonly username: string; readonly password: string },
): Promise<User> {
  return withDatabase(config, undefined, async (db) => {
    const threads = startBcryptThreads(1);
    try {
      const queue = new HashQueue({ runningMax: 1, waitingMax: 1, waitingPerLaneMax: 1 }, systemClock);
      const passwords = await createPasswords(threads, config.bcryptCost, queue);
      const users = createUserStore(createClient(db));
      return await createAccount({ ...config, users, passwords, audit: createAudit(logger) }, account);
    } finally {
      await threads.stop();
    }
  });
}

/** Seals everything with the current encryption key; for the command of that name, beside running copies. */
export function runReseal(config: AuthConfig, logger: Logger, ownClock?: Clock): Promise<number> {
  return withDatabase(config, ownClock, (db, clock) => resealSecrets(createKeyPorts(config, db, logger, clock)));
}
