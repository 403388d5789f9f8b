import type { Statements } from '@tally/service-kit';
import type { ApiTokenStore } from '../domain/ports.js';
import type { ApiToken, ApiTokenId, TokenScope } from '../domain/token/api-token.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { createApiToken, listEndedApiTokens, type OwnedTokenRow, useApiToken } from './statements/api-tokens.js';
import { deleteExpiredApiTokens } from './statements/expired.js';
import { readUser } from './user-store.js';

const COLUMNS = {
  id: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  isEndedWithSessions: true,
} as const satisfies Prisma.ApiTokenSelect;

function readApiToken(row: Pick<OwnedTokenRow, keyof typeof COLUMNS>): ApiToken {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, isEndedWithSessions } = row;
  return {
    id: id as ApiTokenId,
    name,
    scopes: scopes as TokenScope[],
    createdAt,
    expiresAt,
    lastUsedAt: lastUsedAt ?? undefined,
    isEndedWithSessions,
  };
}

/** API tokens in PostgreSQL. */
export function createApiTokenStore(client: PrismaClient, db: Statements): ApiTokenStore {
  return {
    async create(userId, { scopes, ...token }, tokenHash, perUserMax) {
      const rows = await db.run(createApiToken({ ...token, scopes: [...scopes], userId, tokenHash }, perUserMax));
      return rows === 1;
    },
    async list(userId, now) {
      const rows = await client.apiToken.findMany({
        where: { userId, endedAt: null, expiresAt: { gt: now } },
        select: COLUMNS,
        orderBy: { createdAt: 'desc' },
      });
      return rows.map(readApiToken);
    },
    async use(tokenHash, now) {
      const row = await db.row(useApiToken(tokenHash, now));
      return row && { token: readApiToken(row), owner: readUser({ ...row, id: row.userId }) };
    },
    async end(id, userId, now) {
      const where = { id, userId, endedAt: null, expiresAt: { gt: now } };
      const { count } = await client.apiToken.updateMany({ where, data: { endedAt: now } });
      return count === 1;
    },
    async listEnded(after) {
      const rows = await db.rows(listEndedApiTokens(after));
      return rows.map(({ id }) => id as ApiTokenId);
    },
    deleteExpired: (before, rowsMax) => db.run(deleteExpiredApiTokens(before, rowsMax)),
  };
}
