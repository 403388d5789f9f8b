import type { Clock } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { MailContent, MailStore } from './mail.js';

/** What {@link createNotice} needs. */
export interface CreateNoticePorts {
  readonly mails: Pick<MailStore, 'create'>;
  /** Whether there is a mail server. */
  readonly isMailing: boolean;
  readonly clock: Clock;
}

/** What a user is to be told. */
export interface Notice {
  /** 1 to 200 characters: the same notice has the same. */
  readonly noticeId: string;
  readonly userId: bigint;
  /** That the user must be in when the mail is sent; undefined: none. */
  readonly groupId: string | undefined;
  readonly content: MailContent;
  /** PNG. */
  readonly picture: Uint8Array<ArrayBuffer> | undefined;
}

/** Of ids of notices; users of this service make them. */
const NOTICE_ID_LENGTH_MAX = 200;
/** A mail with a larger picture is refused by some mail servers. */
const PICTURE_BYTES_MAX = 2 * 1024 * 1024;
const TEXT_LENGTH_MAX = 10_000;

/**
 * Tells a user something by mail, once: a repeat with the same id changes nothing.
 * @returns false: the user has no confirmed address, is not in the group, or there is no mail server, and nothing is sent
 * @throws ServiceError FIELDS_INVALID
 */
export async function createNotice(ports: CreateNoticePorts, notice: Notice): Promise<boolean> {
  const { noticeId, userId, groupId, content, picture } = notice;
  const texts = [content.subject, content.link.words, content.link.path, ...content.paragraphs];
  const faults = [
    noticeId === '' || noticeId.length > NOTICE_ID_LENGTH_MAX ? 'notice_id' : undefined,
    content.subject === '' || texts.some((text) => text.length > TEXT_LENGTH_MAX) ? 'content' : undefined,
    content.link.path.startsWith('/') ? undefined : 'link_path',
    (picture?.byteLength ?? 0) > PICTURE_BYTES_MAX ? 'picture' : undefined,
  ].filter((field) => field !== undefined);
  if (faults.length > 0)
    throw fail('FIELDS_INVALID', { fields: faults.map((field) => ({ field, message: 'is outside its limits' })) });
  if (!ports.isMailing) return false;
  const matter = { kind: 'notice', content, picture } as const;
  return ports.mails.create({ noticeId: `notice:${noticeId}:${userId}`, userId, groupId, matter }, ports.clock.now());
}
