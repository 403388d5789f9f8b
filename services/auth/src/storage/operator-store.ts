import type { Statements } from '@tally/service-kit';
import type { EndedIds, OperatorStore, UserState } from '../domain/operator/operator-ports.js';
import type { SessionId } from '../domain/session/session-id.js';
import type { ApiTokenId } from '../domain/token/api-token.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { CLAIM_COLUMNS, readClaimedRole } from './session-store.js';
import { addFailure, countUsers, listActions, listUsers, purgeDeletedUsers } from './statements/operators.js';
import { CAN_SIGN_IN, readUser, USER_COLUMNS } from './user-store.js';

/** Operators' actions and what they do with users, in PostgreSQL. */
export function createOperatorStore(client: PrismaClient, db: Statements): OperatorStore {
  return {
    async addAction(action) {
      const { id } = await client.operatorAction.create({ data: action, select: { id: true } });
      return id;
    },
    async addFailure(actionId, failure) {
      await db.run(addFailure(actionId, failure));
      return (await client.operatorAction.count({ where: { id: actionId, failedActionId: null } })) > 0;
    },
    listActions: (query) => db.rows(listActions(query)),
    async findActing(id, now) {
      const row = await client.user.findUnique({
        where: { id, ...CAN_SIGN_IN },
        select: {
          ...USER_COLUMNS,
          sessions: {
            where: { OR: [{ isOperator: true }, { isTeacher: true }], endedAt: null, refreshExpiresAt: { gt: now } },
            select: CLAIM_COLUMNS,
            orderBy: { isOperator: 'desc' },
            take: 1,
          },
        },
      });
      if (row === null) return undefined;
      const [session] = row.sessions;
      return { user: readUser(row), claimedRole: session && readClaimedRole(session) };
    },
    async listUsers(query, now) {
      const [users, [counted]] = await Promise.all([db.rows(listUsers(query, now)), db.rows(countUsers(query))]);
      return { users, userCount: counted?.userCount ?? 0n };
    },
    setState: (userId, state, now) =>
      client.$transaction(async (transaction) => {
        const { count } = await transaction.user.updateMany(changeOf(userId, state, now));
        if (count === 0) return undefined;
        return state === 'active' ? [] : await endAllOf(transaction, userId, now);
      }),
    endAll: (userId, now) =>
      client.$transaction(async (transaction) => {
        const count = await transaction.user.count({ where: { id: userId } });
        return count === 0 ? undefined : await endAllOf(transaction, userId, now);
      }),
    purgeDeleted: (before, rowsMax) => db.run(purgeDeletedUsers(before, rowsMax)),
  };
}

function changeOf(id: bigint, state: UserState, now: Date): Prisma.UserUpdateManyArgs {
  switch (state) {
    case 'active':
      return { where: { id, deletedAt: null }, data: { blockedAt: null } };
    case 'blocked':
      return { where: { id, deletedAt: null }, data: { blockedAt: now } };
    case 'deleted':
      return { where: { id }, data: { deletedAt: now } };
  }
}

/** A session that is being opened waits for the row of its user, and finds him blocked (statements/sessions.ts). */
export async function endAllOf(
  transaction: Prisma.TransactionClient,
  userId: bigint,
  endedAt: Date,
): Promise<EndedIds> {
  const open = { where: { userId, endedAt: null }, data: { endedAt }, select: { id: true } };
  const sessions = await transaction.session.updateManyAndReturn(open);
  const tokens = await transaction.apiToken.updateManyAndReturn(open);
  await transaction.oneTimeLink.deleteMany({ where: { userId } });
  return [...sessions.map(({ id }) => id as SessionId), ...tokens.map(({ id }) => id as ApiTokenId)];
}
