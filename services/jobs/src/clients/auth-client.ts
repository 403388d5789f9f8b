import type { auth } from '@tally/contracts';
import type { ClientOf } from '@tally/service-kit';
import type { FindReceivers, NotifyPorts } from '../domain/notify/notify-end.js';
import type { RemoveDuePorts } from '../domain/retention/remove-due.js';

/** Mails of auth, which alone knows addresses: to a user without one nothing is sent. */
export const createMailSender =
  (client: ClientOf<typeof auth.AuthServiceService>): NonNullable<NotifyPorts['sendMail']> =>
  async ({ userId, groupId = '' }, { id, subject, paragraphs, linkPath, linkWords, figure }) => {
    await client.createNotice({
      noticeId: id,
      userId,
      groupId,
      subject,
      paragraphs: [...paragraphs],
      linkPath,
      linkWords,
      picture: Buffer.from(figure?.picture ?? []),
      pictureAlt: figure?.words ?? '',
    });
  };

/** Entries of the trail of operators, which auth keeps. */
export const createRemovalNoter =
  (client: ClientOf<typeof auth.AuthServiceService>): NonNullable<RemoveDuePorts['noteRemoval']> =>
  async (target, reason) => {
    await client.createRuleAction({ action: 'retention.remove', target, reason });
  };

/** Who may be told, as auth knows it at this moment. */
export const createReceiverFinder =
  (client: ClientOf<typeof auth.AuthServiceService>): FindReceivers =>
  async (userIds, groupId = '') => {
    const found = await client.listReceivers({ userIds: [...userIds], groupId });
    return { active: new Set(found.activeUserIds), members: new Set(found.memberUserIds) };
  };
