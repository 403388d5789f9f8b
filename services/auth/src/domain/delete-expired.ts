import type { Clock, Logger } from '@tally/service-kit';
import type { ClassStore } from './class/class.js';
import type { MailStore } from './mail/mail.js';
import type { OperatorStore } from './operator/operator-ports.js';
import { DELETED_KEPT_MS } from './operator/user-block.js';
import type {
  ApiTokenStore,
  CredentialStore,
  LinkStore,
  SessionStore,
  SigningKeyStore,
  ThrottleStore,
} from './ports.js';
import { CLOCK_MARGIN_MS } from './session/session.js';
import { TOKEN_MEMORY_MS } from './token/api-token.js';

/** What the clean-up needs. */
export interface DeleteExpiredPorts {
  readonly sessions: SessionStore;
  readonly apiTokens: ApiTokenStore;
  readonly links: LinkStore;
  readonly mails: Pick<MailStore, 'deleteEnded'>;
  readonly mailMemoryMs: number;
  readonly throttles: ThrottleStore;
  readonly signingKeys: SigningKeyStore;
  readonly credentials: CredentialStore;
  readonly operator: Pick<OperatorStore, 'purgeDeleted'>;
  readonly classes: Pick<ClassStore, 'endDue'>;
  readonly clock: Clock;
  readonly knownAddressMs: number;
  readonly rowsMax: number;
}

/** Deletes what has expired, a bounded number of rows at a time. Safe for several copies at once. @returns rows deleted */
export async function deleteExpired(ports: DeleteExpiredPorts): Promise<number> {
  const { sessions, apiTokens, links, mails, throttles, signingKeys, credentials, operator, clock, rowsMax } = ports;
  const now = clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const steps = [
    () => sessions.deleteExpired(now, before(CLOCK_MARGIN_MS), rowsMax),
    () => apiTokens.deleteExpired(before(TOKEN_MEMORY_MS + CLOCK_MARGIN_MS), rowsMax),
    () => links.deleteExpired(now, rowsMax),
    () => mails.deleteEnded(before(ports.mailMemoryMs), rowsMax),
    () => throttles.deleteExpired(now, rowsMax),
    () => throttles.deleteKnownAddresses(before(ports.knownAddressMs), rowsMax),
    () => signingKeys.deleteExpired(now, rowsMax),
    () => credentials.deleteExpired(now, rowsMax),
    () => ports.classes.endDue(now, rowsMax),
    () => operator.purgeDeleted(before(DELETED_KEPT_MS), rowsMax),
  ];
  let total = 0;
  for (const step of steps) {
    for (let count = rowsMax; count === rowsMax; total += count) count = await step();
  }
  return total;
}

/** Cleans up again and again, until the returned function is called; that one resolves when the last one is through. */
export function startHousekeeping(ports: DeleteExpiredPorts, intervalMs: number, logger: Logger): () => Promise<void> {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const rows = await deleteExpired(ports);
        if (rows > 0) logger.debug({ rows }, 'expired rows deleted');
      } catch (err) {
        logger.error({ err }, 'clean-up failed');
      }
      await ports.clock.sleep(intervalMs, stop.signal);
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
  };
}
