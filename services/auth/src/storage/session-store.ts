import type { Statements } from '@tally/service-kit';
import type { Role } from '../domain/operator/operators.js';
import type { SessionStore } from '../domain/ports.js';
import type { SessionId } from '../domain/session/session-id.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { deleteExpiredSessions } from './statements/expired.js';
import { createSession, extendAccess, listEndedSessions } from './statements/sessions.js';
import { endsWithSessions, readUser, USER_COLUMNS } from './user-store.js';

const asSessionId = (id: string) => id as SessionId;

/** Columns of a session with the role that the realm gave its user. */
export const CLAIM_COLUMNS = { isOperator: true, isTeacher: true } as const;

export function readClaimedRole(row: { readonly isOperator: boolean; readonly isTeacher: boolean }): Role | undefined {
  if (row.isOperator) return 'operator';
  return row.isTeacher ? 'teacher' : undefined;
}

/** Sessions in PostgreSQL. */
export function createSessionStore(client: PrismaClient, db: Statements): SessionStore {
  return {
    create: async (session) => (await db.run(createSession(session))) === 1,
    async findLive(refreshTokenHash, now) {
      const row = await client.session.findUnique({
        where: { refreshTokenHash, endedAt: null, refreshExpiresAt: { gt: now } },
        select: { id: true, ...CLAIM_COLUMNS, user: { select: USER_COLUMNS } },
      });
      return row === null
        ? undefined
        : { id: asSessionId(row.id), claimedRole: readClaimedRole(row), user: readUser(row.user) };
    },
    extendAccess: async (id, accessExpiresAt) => (await db.run(extendAccess(id, accessExpiresAt))) === 1,
    async end(id, userId, now) {
      const { count } = await client.session.updateMany({
        where: { id, userId, endedAt: null },
        data: { endedAt: now },
      });
      return count === 1;
    },
    async endByRefreshToken(refreshTokenHash, now) {
      const [row] = await client.session.updateManyAndReturn({
        where: { refreshTokenHash, endedAt: null, refreshExpiresAt: { gt: now } },
        data: { endedAt: now },
        select: { id: true, userId: true },
      });
      return row && { id: asSessionId(row.id), userId: row.userId };
    },
    async endAll(userId, endedAt) {
      const [{ count }] = await client.$transaction([
        client.session.updateMany({ where: { userId, endedAt: null }, data: { endedAt } }),
        client.apiToken.updateMany({ where: endsWithSessions(userId), data: { endedAt } }),
      ]);
      return count;
    },
    async listLive(userId, now, rowsMax) {
      const rows = await client.session.findMany({
        where: { userId, endedAt: null, refreshExpiresAt: { gt: now } },
        select: { id: true, createdAt: true, refreshExpiresAt: true },
        orderBy: { createdAt: 'desc' },
        take: rowsMax,
      });
      return rows.map(({ id, createdAt, refreshExpiresAt: expiresAt }) => ({
        id: asSessionId(id),
        createdAt,
        expiresAt,
      }));
    },
    async listEnded(accessExpiresAfter) {
      const rows = await db.rows(listEndedSessions(accessExpiresAfter));
      return rows.map(({ id }) => asSessionId(id));
    },
    deleteExpired: (now, accessExpiredBefore, rowsMax) =>
      db.run(deleteExpiredSessions(now, accessExpiredBefore, rowsMax)),
  };
}
