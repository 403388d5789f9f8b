import { type Sql, sql } from '@tally/service-kit';
import type { Mail, User } from '../../generated/prisma/client.js';

/** Whether a user may be told: neither blocked nor deleted, and in the group, if there is one. */
const isReceiver = (groupId: Sql): Sql => sql`(blocked_at IS NULL AND deleted_at IS NULL AND (${groupId} IS NULL
  OR EXISTS (SELECT 1 FROM memberships WHERE memberships.group_id = ${groupId} AND memberships.user_id = users.id)))`;

/** A mail to be kept. */
export interface NewMailRow extends Pick<Mail, 'id' | 'noticeId' | 'userId' | 'groupId' | 'kind'> {
  readonly content: object | null;
  readonly picture: Uint8Array | undefined;
  readonly now: Date;
}

/**
 * Keeps a mail, unless there is one with its notice id. A mail to a user's own address needs a confirmed one, and a user who may be told. One row:
 * whether there is an address for it.
 */
export const createMail = (row: NewMailRow): Sql<{ readonly hasAddress: boolean }> => sql`
  WITH receiver AS (
    SELECT id FROM users
    WHERE id = ${row.userId} AND ${isReceiver(sql`${row.groupId}::text`)}
      AND (email IS NOT NULL OR ${row.kind}::text = 'email_confirmation')
  ), mail AS (
    INSERT INTO mails (id, notice_id, user_id, group_id, kind, content, picture, created_at, next_try_at)
    SELECT ${row.id}::uuid, ${row.noticeId}, id, ${row.groupId}::text, ${row.kind}, ${row.content === null ? null : JSON.stringify(row.content)}::jsonb,
      ${row.picture ?? null}::bytea, ${row.now}::timestamptz, ${row.now}::timestamptz
    FROM receiver
    ON CONFLICT (notice_id) DO NOTHING
  )
  SELECT EXISTS (SELECT 1 FROM receiver) AS "hasAddress"`;

export interface DueMailRow
  extends Pick<Mail, 'id' | 'userId' | 'kind' | 'content' | 'picture' | 'createdAt' | 'tryCount'>,
    Pick<User, 'username' | 'email'> {
  readonly tryId: string;
  readonly isActive: boolean;
}

/** Takes mails that are due, the oldest first; what other copies hold is passed over. */
export const takeDueMails = (rowsMax: number, tryId: string, now: Date, heldUntil: Date): Sql<DueMailRow> => sql`
  UPDATE mails SET try_count = try_count + 1, try_id = ${tryId}::uuid, held_until = ${heldUntil}::timestamptz FROM users
  WHERE mails.id = ANY(ARRAY(
      SELECT id FROM mails
      WHERE ended_at IS NULL AND state = 'waiting' AND next_try_at <= ${now} AND (held_until IS NULL OR held_until <= ${now})
      ORDER BY next_try_at LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED))
    AND users.id = mails.user_id
  RETURNING mails.id, user_id AS "userId", kind, content, picture, mails.created_at AS "createdAt", try_count AS "tryCount",
    try_id AS "tryId", username, email, ${isReceiver(sql`mails.group_id`)} AS "isActive"`;

/** Ends a mail; one that counts as sent meanwhile was handed over by this try. */
export const endMail = (
  { id, tryId }: Pick<DueMailRow, 'id' | 'tryId'>,
  state: string,
  answer: string,
  now: Date,
): Sql => sql`
  UPDATE mails SET state = ${state}, answer = ${answer}, ended_at = ${now}::timestamptz, held_until = NULL, content = NULL, picture = NULL
  WHERE id = ${id}::uuid AND try_id = ${tryId}::uuid`;

/** Ends mails that nobody holds any more, and that were being handed over. */
export const presumeSent = (now: Date): Sql => sql`
  UPDATE mails SET state = 'presumed_sent', ended_at = ${now}::timestamptz, content = NULL, picture = NULL
  WHERE ended_at IS NULL AND state = 'handing_over' AND held_until <= ${now}`;

/** Deletes mails that ended before a moment. */
export const deleteEndedMails = (before: Date, rowsMax: number): Sql => sql`
  DELETE FROM mails WHERE id IN (
    SELECT id FROM mails WHERE ended_at < ${before} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;
