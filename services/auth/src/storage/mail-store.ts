import { newId, type Statements } from '@tally/service-kit';
import type { MailContent, MailId, MailInHand, MailMatter, MailStore } from '../domain/mail/mail.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import {
  createMail,
  type DueMailRow,
  deleteEndedMails,
  endMail,
  presumeSent,
  takeDueMails,
} from './statements/mails.js';

/** An answer of a server is kept up to here. */
const ANSWER_LENGTH_MAX = 500;

function contentOf(matter: MailMatter): object | null {
  if (matter.kind === 'notice') return matter.content;
  return matter.kind === 'email_confirmation' ? { email: matter.email } : null;
}

function readMatter({ kind, content, picture }: DueMailRow): MailMatter {
  if (kind === 'password_reset') return { kind };
  if (kind === 'email_confirmation') return { kind, email: (content as { email: string }).email };
  return { kind: 'notice', content: content as unknown as MailContent, picture: picture ?? undefined };
}

/** Mails in PostgreSQL. */
export function createMailStore(client: PrismaClient, db: Statements): MailStore {
  const inHand = ({ id, tryId }: MailInHand) => ({ id, tryId, endedAt: null });
  return {
    async create({ noticeId, userId, groupId = null, matter }, now) {
      const picture = matter.kind === 'notice' ? matter.picture : undefined;
      const row = {
        id: newId(),
        noticeId,
        userId,
        groupId,
        kind: matter.kind,
        content: contentOf(matter),
        picture,
        now,
      };
      return (await db.rows(createMail(row)))[0]?.hasAddress ?? false;
    },
    async takeDue(rowsMax, now, heldUntil) {
      const rows = await db.rows(takeDueMails(rowsMax, newId(), now, heldUntil));
      return rows.map((row) => ({
        id: row.id as MailId,
        tryId: row.tryId,
        userId: row.userId,
        username: row.username,
        email: row.email ?? undefined,
        isActive: row.isActive,
        matter: readMatter(row),
        createdAt: row.createdAt,
        tryCount: row.tryCount,
      }));
    },
    async beginHandOver(mail) {
      const where = { ...inHand(mail), state: 'waiting' };
      const { count } = await client.mail.updateMany({ where, data: { state: 'handing_over' } });
      return count === 1;
    },
    async end(mail, state, answer, endedAt) {
      await db.run(endMail(mail, state, answer.slice(0, ANSWER_LENGTH_MAX), endedAt));
    },
    async release(mail, answer, nextTryAt) {
      const data = { state: 'waiting', answer: answer.slice(0, ANSWER_LENGTH_MAX), nextTryAt, heldUntil: null };
      await client.mail.updateMany({ where: inHand(mail), data });
    },
    presumeSent: (now) => db.run(presumeSent(now)),
    deleteEnded: (before, rowsMax) => db.run(deleteEndedMails(before, rowsMax)),
  };
}
