import { backoffMs, type Clock, type Logger, retry } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { EMAIL_LIFETIME_MS } from '../email/update-email.js';
import { newLinkOf } from '../link/new-link.js';
import { emailConfirmationPath, passwordResetPath } from '../link/one-time-link.js';
import type { LinkStore } from '../ports.js';
import { RESET_LIFETIME_MS } from '../user/create-password-reset.js';
import {
  type ComposedMail,
  type MailContent,
  MailFault,
  type MailInHand,
  type MailServer,
  type MailStore,
} from './mail.js';
import { type MailFrame, renderMail } from './render-mail.js';

/** What the worker needs. */
export interface SendMailsPorts {
  readonly mails: MailStore;
  readonly links: Pick<LinkStore, 'replace'>;
  readonly server: MailServer;
  readonly frame: MailFrame;
  /** Nobody else takes a mail for so long, milliseconds: longer than a try, and than it takes to note its end. */
  readonly holdMs: number;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Handed over at once by one copy. */
const AT_ONCE_MAX = 4;
const RETRY_FIRST_MS = 2_000;
/** Longest pause between two tries: a server that defers strangers (greylisting) lets them in by then. */
const RETRY_MAX_MS = 10 * 60_000;
/** After that a mail is given up: what it tells is old. */
const GIVE_UP_MS = 24 * 60 * 60_000;
/** Between two tries to note what has become of a mail. */
const NOTE_PAUSE_MS = 200;

/**
 * Hands over what is due. Ends mails of copies that have died while they handed them over.
 * @returns whether there may be more
 */
export async function sendMails(ports: SendMailsPorts, signal: AbortSignal): Promise<boolean> {
  const { mails, clock, logger } = ports;
  const presumed = await mails.presumeSent(clock.now());
  if (presumed > 0) logger.warn({ count: presumed }, 'mails count as sent: a copy died while it handed them over');
  if (signal.aborted) return false;
  const due = await mails.takeDue(AT_ONCE_MAX, clock.now(), new Date(clock.now().getTime() + ports.holdMs));
  await Promise.all(due.map((mail) => sendMail(ports, mail)));
  return due.length === AT_ONCE_MAX;
}

/** The mail is not in the hands of this try any more. */
class MailGone extends Error {
  override readonly name = 'MailGone';
}

async function sendMail(ports: SendMailsPorts, mail: MailInHand): Promise<void> {
  const { mails, server, audit, clock } = ports;
  let answer: string;
  try {
    const composed = await compose(ports, mail);
    answer = await server.send(composed, async () => {
      if (!(await mails.beginHandOver(mail))) throw new MailGone();
    });
  } catch (err) {
    if (!(err instanceof MailGone)) await noteFault(ports, mail, err);
    return;
  }
  // where even this cannot be noted, the mail stays `handing_over`, and counts as sent when nobody holds it any more
  await note(ports, () => mails.end(mail, 'sent', answer, clock.now()));
  audit('auth.mail.sent', { userId: mail.userId, count: mail.tryCount });
}

async function noteFault(ports: SendMailsPorts, mail: MailInHand, err: unknown): Promise<void> {
  const { mails, audit, clock, logger } = ports;
  const now = clock.now();
  const answer = err instanceof Error ? err.message : String(err);
  const isOver = now.getTime() - mail.createdAt.getTime() > GIVE_UP_MS;
  if ((err instanceof MailFault && err.isPermanent) || isOver) {
    await note(ports, () => mails.end(mail, 'failed', answer, now));
    audit('auth.mail.refused', { userId: mail.userId, reason: 'MAIL_REFUSED', cause: answer.slice(0, 500) });
    return;
  }
  if (mail.tryCount === 1) logger.warn({ err, mail_id: mail.id }, 'mail is not taken, trying again');
  const nextTryAt = new Date(now.getTime() + backoffMs(RETRY_FIRST_MS, RETRY_MAX_MS, mail.tryCount - 1));
  await note(ports, () => mails.release(mail, answer, nextTryAt));
}

/** Until the database takes it: a mail that stays `handing_over` would not be sent again. */
const note = ({ clock, holdMs }: SendMailsPorts, work: () => Promise<void>): Promise<void> =>
  retry(work, { pauseMs: NOTE_PAUSE_MS, pauseMsMax: 5_000, timeLimitMs: holdMs / 2, isPassing: () => true, clock });

/** @throws MailFault when there is nobody to send it to any more */
async function compose(ports: SendMailsPorts, mail: MailInHand): Promise<ComposedMail> {
  const { matter, email, isActive } = mail;
  if (!isActive) throw new MailFault('the user is blocked, deleted, or no longer in the group', true);
  const to = matter.kind === 'email_confirmation' ? matter.email : email;
  if (to === undefined) throw new MailFault('the user has no confirmed address any more', true);
  const content = matter.kind === 'notice' ? matter.content : await linkMail(ports, mail);
  return renderMail(ports.frame, mail, to, content, matter.kind === 'notice' ? matter.picture : undefined);
}

const MINUTE_MS = 60_000;

/** What a mail with a link that works once says. The link is made here, so that its token stands nowhere but in the mail. */
async function linkMail(
  { links, clock }: SendMailsPorts,
  { userId, username, matter }: MailInHand,
): Promise<MailContent> {
  if (matter.kind === 'email_confirmation') {
    const wanted = { userId, purpose: 'email_confirmation', email: matter.email } as const;
    const { token } = await newLinkOf(links, wanted, EMAIL_LIFETIME_MS, clock.now());
    return {
      subject: 'Confirm your address for Tally',
      paragraphs: [
        `The user ${username} of Tally wants to be told by mail at this address.`,
        'If that is you, confirm the address by the link within a day. If not, do nothing: the address is not used.',
      ],
      link: { path: emailConfirmationPath(token), words: 'Confirm the address' },
    };
  }
  const { token } = await newLinkOf(links, { userId, purpose: 'password_reset' }, RESET_LIFETIME_MS, clock.now());
  return {
    subject: 'A new password for Tally',
    paragraphs: [
      `Somebody, hopefully you, has asked for a new password of the user ${username}.`,
      `The link works once, for ${RESET_LIFETIME_MS / MINUTE_MS} minutes. If you have not asked, do nothing: your password stays as it is.`,
    ],
    link: { path: passwordResetPath(token), words: 'Set a new password' },
  };
}
