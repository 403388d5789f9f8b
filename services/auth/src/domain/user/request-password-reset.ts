import { type Clock, newId } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { MailStore } from '../mail/mail.js';
import type { UserStore } from '../ports.js';
import { type ThrottlePorts, takeResetRequest } from '../throttle/throttle.js';
import { normalizeUsername, usernameFault } from './user.js';

/** What {@link requestPasswordReset} needs. */
export interface RequestPasswordResetPorts extends ThrottlePorts {
  readonly users: Pick<UserStore, 'findLocal'>;
  readonly mails: Pick<MailStore, 'create'>;
  /** Whether there is a mail server. */
  readonly isMailing: boolean;
  /** How long a request takes, milliseconds. */
  readonly resetAnswerMs: number;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Mails a link to a new password to a local user with a confirmed address. The answer does not tell whether there is one, and takes
 * equally long in every case, because it waits for a time that is longer than the work.
 * @throws ServiceError FIELDS_INVALID, MAIL_DISABLED, THROTTLED
 */
export async function requestPasswordReset(
  ports: RequestPasswordResetPorts,
  name: string,
  remoteAddress: string,
): Promise<void> {
  const username = normalizeUsername(name);
  const fault = usernameFault(username);
  if (fault !== undefined) throw fail('FIELDS_INVALID', { fields: [fault] });
  if (!ports.isMailing) throw fail('MAIL_DISABLED');
  await takeResetRequest(ports, username, remoteAddress, ports.clock.now());
  await Promise.all([mailLink(ports, username, remoteAddress), ports.clock.sleep(ports.resetAnswerMs)]);
}

async function mailLink(ports: RequestPasswordResetPorts, username: string, address: string): Promise<void> {
  const found = await ports.users.findLocal(username);
  if (found === undefined) return;
  const { id: userId } = found.user;
  const matter = { kind: 'password_reset' } as const;
  const hasAddress = await ports.mails.create({ noticeId: `reset:${newId()}`, userId, matter }, ports.clock.now());
  if (hasAddress) ports.audit('auth.password.reset_created', { userId, username, address });
}
