import { type Clock, newId } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { MailStore } from '../mail/mail.js';
import type { UserStore } from '../ports.js';
import { type ThrottlePorts, takeEmailChange } from '../throttle/throttle.js';
import { getUser } from '../user/get-user.js';
import { emailFault, normalizeEmail } from './email.js';

/** How long the link of a confirmation works, milliseconds: a mailbox is looked at once a day. */
export const EMAIL_LIFETIME_MS = 24 * 60 * 60_000;

/** What {@link updateEmail} needs. */
export interface UpdateEmailPorts extends ThrottlePorts {
  readonly users: UserStore;
  readonly mails: Pick<MailStore, 'create'>;
  /** Whether there is a mail server. */
  readonly isMailing: boolean;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Sends a link to an address, by which it becomes that of the acting user. Until then the user's present address stays. An empty
 * address takes the present one away at once.
 * @throws ServiceError FIELDS_INVALID, MAIL_DISABLED, USER_NOT_FOUND, THROTTLED
 */
export async function updateEmail(ports: UpdateEmailPorts, userId: bigint, text: string): Promise<void> {
  const email = normalizeEmail(text);
  const user = await getUser(ports, userId);
  if (email === '') {
    await ports.users.removeEmail(userId);
    ports.audit('auth.email.removed', { userId, username: user.username });
    return;
  }
  const fault = emailFault(email);
  if (fault !== undefined) throw fail('FIELDS_INVALID', { fields: [fault] });
  if (!ports.isMailing) throw fail('MAIL_DISABLED');
  await takeEmailChange(ports, userId, email, ports.clock.now());
  const matter = { kind: 'email_confirmation', email } as const;
  await ports.mails.create({ noticeId: `email:${newId()}`, userId, matter }, ports.clock.now());
}
