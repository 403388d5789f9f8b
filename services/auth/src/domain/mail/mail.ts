/**
 * Mails on their way. A mail is a row with a unique notice id: whoever asks for the same notice again asks for nothing. A worker of
 * any copy takes a row, hands the mail to the mail server, and notes what has become of it.
 *
 * A mail server takes a mail when it has read the final dot (RFC 5321 section 4.1.1.4) and says so by 250. Between the dot and our note of the
 * 250 nobody can know whether the mail was taken. So the row says `handing_over` before the dot is sent:
 *
 * - A copy that dies before that note has sent no dot: the mail is sent by the next one, and has not been sent before.
 * - A copy that dies after it has most likely sent the dot, because nothing but one write to the socket is in between. The mail is
 *   not sent again, and counts as `presumed_sent`.
 * - A copy that lives, and to which the server does not say 250, sends the mail again: until then the server has promised nothing (RFC
 *   5321 section 4.2.5), so it has most likely not taken it.
 *
 * Whatever fails, the user gets one mail, with two exceptions. A copy that is killed in the moment between the commit of the note and
 * the write of the dot loses the mail. A server that takes a mail and cannot say so gets it twice, with the same `Message-ID` and the same `Date`,
 * by which mail stores recognise a duplicate.
 */
import type { Branded } from '@tally/service-kit';

export type MailId = Branded<'MailId'>;

/** What a mail says, but for links that its worker makes. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  /** Paragraphs of plain text. */
  readonly paragraphs: readonly string[];
  /** Path of the console that it leads to, with a slash before it, and the words of the link. */
  readonly link: { readonly path: string; readonly words: string };
  /** What the picture shows, in words; absent: there is none. */
  readonly pictureAlt?: string;
}

/** What a mail is about; of those with a link that works once, the worker makes the link when it sends the mail. */
export type MailMatter =
  | { readonly kind: 'notice'; readonly content: MailContent; readonly picture: Uint8Array<ArrayBuffer> | undefined }
  | { readonly kind: 'password_reset' }
  /** To this address, which is not the user's before it is confirmed. */
  | { readonly kind: 'email_confirmation'; readonly email: string };

/** A mail to be sent. */
export interface NewMail {
  /** What it tells: of two mails with the same id the second is none. */
  readonly noticeId: string;
  readonly userId: bigint;
  /** That the user must be in; undefined: none. */
  readonly groupId?: string | undefined;
  readonly matter: MailMatter;
}

/** A mail in the hands of a worker. */
export interface MailInHand {
  readonly id: MailId;
  /** Of this try. */
  readonly tryId: string;
  readonly userId: bigint;
  readonly username: string;
  /** The user's confirmed address; undefined: none any more. */
  readonly email: string | undefined;
  /** Neither blocked nor deleted, and in the group that the mail is about. */
  readonly isActive: boolean;
  readonly matter: MailMatter;
  readonly createdAt: Date;
  /** With this one. */
  readonly tryCount: number;
}

/** How a mail has ended. */
export type MailEnd = 'sent' | 'failed';

/** Mails in the database. Every method is one transaction. */
export interface MailStore {
  /** Keeps a mail, unless there is one with its notice id. @returns false: the user has no address for it */
  create(mail: NewMail, now: Date): Promise<boolean>;
  /** Takes mails that are due, the oldest first; nobody else does before they are released, or `heldUntil` is over. */
  takeDue(rowsMax: number, now: Date, heldUntil: Date): Promise<MailInHand[]>;
  /** Notes that the final dot follows. @returns false: the mail is not in the hands of this try any more */
  beginHandOver(mail: MailInHand): Promise<boolean>;
  end(mail: MailInHand, end: MailEnd, answer: string, now: Date): Promise<void>;
  /** It is due again then. */
  release(mail: MailInHand, answer: string, nextTryAt: Date): Promise<void>;
  /** Ends mails whose copy has died while it handed them over. @returns how many */
  presumeSent(now: Date): Promise<number>;
  /** Deletes at most `rowsMax` mails that ended before. @returns how many */
  deleteEnded(before: Date, rowsMax: number): Promise<number>;
}

/** A mail as it goes to the server. */
export interface ComposedMail {
  readonly messageId: string;
  readonly date: Date;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** PNG that the HTML shows as `cid:` {@link PICTURE_ID}. */
  readonly picture: Uint8Array | undefined;
}

/** Content id of the picture. */
export const PICTURE_ID = 'curve';

/** Why the server has not taken a mail. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  constructor(
    message: string,
    /** The server refuses the mail itself: it will not take it later. */
    readonly isPermanent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Takes mails for delivery. */
export interface MailServer {
  /**
   * Gives a mail to the server, and waits for its 250. All but the final dot is sent before `beginHandOver`, and the dot only when that has resolved.
   * @returns the server's answer
   * @throws MailFault, and what `beginHandOver` throws
   */
  send(mail: ComposedMail, beginHandOver: () => Promise<void>): Promise<string>;
}
