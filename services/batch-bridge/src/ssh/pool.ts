import { type Clock, hasReason, ServiceError } from '@tally/service-kit';
import type { ClusterSettings } from '../domain/cluster/cluster.js';
import { fail } from '../domain/errors.js';
import type { ClusterSessions, Login } from '../domain/ports.js';
import { type BreakerOptions, CircuitBreaker } from './circuit-breaker.js';
import { type ConnectLimits, connect } from './connect.js';
import { type Identity, openCredential } from './credential.js';
import { Session, type SessionLimits } from './session.js';
import { noSshMetrics, type SshMetrics } from './ssh-metrics.js';

export interface PoolOptions extends ConnectLimits, SessionLimits {
  /** A connection without work for this long is closed, milliseconds. */
  readonly idleMs: number;
  /** Failed connections to a cluster in a row, over all users, after which none is tried for a while. */
  readonly failureCountMax: number;
  /** First and longest pause after failures, milliseconds. */
  readonly pauseFirstMs: number;
  readonly pauseMaxMs: number;
  readonly clock: Clock;
  /** Counted unless absent. */
  readonly metrics?: SshMetrics;
}

interface Entry {
  readonly cluster: string;
  readonly session: Promise<Session>;
  workCount: number;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * Connections to clusters: one for each user, cluster and certificate, made when it is needed, shared by all work of the
 * user, closed when idle. Failures cause pauses: for the login that failed, and for a cluster that nobody reaches. The open
 * connections to a cluster that shows a foreign host key are closed.
 */
export class SshPool implements ClusterSessions {
  readonly #entries = new Map<string, Entry>();
  readonly #breakers = new Map<string, CircuitBreaker>();
  #connectCount = 0;

  constructor(private readonly options: PoolOptions) {}

  /** Attempts to connect so far. */
  get connectCount(): number {
    return this.#connectCount;
  }

  /**
   * Runs `work` with the user's connection. Safe to call at once for the same login: they share one connection.
   * @throws ServiceError CREDENTIAL_UNUSABLE, LOGIN_REFUSED, HOST_KEY_CHANGED, CLUSTER_UNREACHABLE (with a delay while a
   * pause lasts), and whatever `work` throws
   */
  async withSession<T>(login: Login, work: (session: Session) => Promise<T>): Promise<T> {
    const entry = this.#entryOf(login);
    clearTimeout(entry.idleTimer);
    entry.workCount++;
    try {
      return await work(await entry.session);
    } finally {
      entry.workCount--;
      if (entry.workCount === 0) this.#closeWhenIdle(entry);
    }
  }

  /** Ends all connections to a cluster. */
  closeCluster(name: string): void {
    for (const [key, entry] of this.#entries) if (entry.cluster === name) this.#drop(key, entry);
  }

  close(): void {
    for (const [key, entry] of this.#entries) this.#drop(key, entry);
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    clearTimeout(entry.idleTimer);
    entry.session.then(
      (session) => session.close(),
      () => {},
    );
  }

  #closeWhenIdle(entry: Entry): void {
    entry.idleTimer = setTimeout(() => {
      for (const [key, known] of this.#entries) if (known === entry) this.#drop(key, entry);
    }, this.options.idleMs);
    entry.idleTimer.unref();
  }

  #entryOf({ cluster, username, credential }: Login): Entry {
    const identity = openCredential(credential, username, this.options.clock.now());
    const login = `${cluster.name} ${username}`;
    const key = `${login} ${identity.certificate.serial} ${identity.certificate.validBefore?.getTime()}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const breakers = [this.#breaker(cluster.name, this.options.failureCountMax), this.#breaker(login, 1)] as const;
    for (const breaker of breakers) requireClosed(breaker);
    const session = this.#connect(cluster, identity, breakers);
    const entry: Entry = { cluster: cluster.name, session, workCount: 0, idleTimer: undefined };
    this.#entries.set(key, entry);
    session.then(
      (opened) => opened.onClose(() => this.#drop(key, entry)),
      () => this.#drop(key, entry),
    );
    return entry;
  }

  async #connect(
    cluster: ClusterSettings,
    identity: Identity,
    [ofCluster, ofLogin]: readonly [CircuitBreaker, CircuitBreaker],
  ): Promise<Session> {
    this.#connectCount++;
    ofCluster.begin();
    ofLogin.begin();
    const { metrics = noSshMetrics } = this.options;
    const { name: clusterName } = cluster;
    try {
      const session = new Session(await connect(cluster, identity, this.options), this.options, {
        metrics,
        clusterName,
        username: identity.username,
      });
      ofCluster.succeed();
      ofLogin.succeed();
      metrics.connectionAttempted(clusterName, 'ok');
      metrics.connectionOpened(clusterName);
      session.onClose(() => metrics.connectionClosed(clusterName));
      return session;
    } catch (err) {
      metrics.connectionAttempted(clusterName, err instanceof ServiceError ? err.reason : 'INTERNAL');
      ofLogin.fail(err);
      // a refused login is no failure of the cluster: it answered
      if (hasReason(err, 'LOGIN_REFUSED')) ofCluster.succeed();
      else ofCluster.fail(err);
      if (hasReason(err, 'HOST_KEY_CHANGED')) this.closeCluster(cluster.name);
      throw err;
    }
  }

  #breaker(key: string, failureCountMax: number): CircuitBreaker {
    const { pauseFirstMs, pauseMaxMs, clock } = this.options;
    const options: BreakerOptions = { failureCountMax, pauseFirstMs, pauseMaxMs, clock };
    const breaker = this.#breakers.get(key) ?? new CircuitBreaker(options);
    this.#breakers.set(key, breaker);
    return breaker;
  }
}

/** @throws ServiceError why the last attempt failed, with the time until the next one, while the pause lasts */
function requireClosed(breaker: CircuitBreaker): void {
  const retryAfterMs = breaker.pauseMs();
  if (retryAfterMs === 0) return;
  const { lastError: cause } = breaker;
  const reasons = ['HOST_KEY_CHANGED', 'LOGIN_REFUSED'] as const;
  throw fail(reasons.find((reason) => hasReason(cause, reason)) ?? 'CLUSTER_UNREACHABLE', { retryAfterMs, cause });
}
