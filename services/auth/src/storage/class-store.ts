import type { Statements } from '@tally/service-kit';
import type { Class, ClassStore } from '../domain/class/class.js';
import type { GroupId } from '../domain/group/group.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { raiseMembershipsVersion } from './group-store.js';
import { endAllOf } from './operator-store.js';
import { listStudents } from './statements/operators.js';

/** Classes in PostgreSQL. */
export function createClassStore(client: PrismaClient, db: Statements): ClassStore {
  return {
    create: (made, managerId, students, { passwordHash, linkExpiresAt }) =>
      client.$transaction(async (transaction) => {
        await raiseMembershipsVersion(transaction);
        const usernames = students.map(({ username }) => username);
        const named = { provider: 'local', username: { in: usernames } };
        const taken = await transaction.user.findMany({ where: named, select: { username: true } });
        if (taken.length > 0) return { taken: taken.map(({ username }) => username) };
        const data = usernames.map((username) => ({ username, provider: 'local', passwordHash, classId: made.id }));
        const rows = await transaction.user.createManyAndReturn({ data, select: { id: true, username: true } });
        const idOf = new Map(rows.map(({ id, username }) => [username, id]));
        const userIds = usernames.map((username) => idOf.get(username) ?? 0n);
        await transaction.oneTimeLink.createMany({
          data: students.map(({ tokenHash }, i) => ({
            tokenHash,
            purpose: 'password_reset',
            userId: userIds[i] ?? 0n,
            createdAt: made.createdAt,
            expiresAt: linkExpiresAt,
          })),
        });
        await transaction.class.create({ data: made });
        await addGroup(transaction, made, managerId, userIds);
        return { userIds };
      }),
    async list(now, rowsMax) {
      const rows = await client.class.findMany({ orderBy: { createdAt: 'desc' }, take: rowsMax });
      const students = await db.rows(
        listStudents(
          rows.map(({ id }) => id),
          now,
        ),
      );
      return rows.map((row) => ({
        ...row,
        groupId: row.groupId as GroupId,
        students: students.filter(({ classId }) => classId === row.id),
      }));
    },
    async endDue(now, rowsMax) {
      const due = await client.class.findMany({ where: { endsAt: { lte: now }, endedAt: null }, take: rowsMax });
      for (const { id, isDeletedAtEnd } of due) {
        await client.$transaction(async (transaction) => {
          const users = await transaction.user.updateManyAndReturn({
            where: { classId: id, deletedAt: null },
            data: isDeletedAtEnd ? { deletedAt: now } : { blockedAt: now },
            select: { id: true },
          });
          for (const user of users) await endAllOf(transaction, user.id, now);
          await transaction.class.updateMany({ where: { id }, data: { endedAt: now } });
        });
      }
      return due.length;
    },
  };
}

async function addGroup(
  transaction: Prisma.TransactionClient,
  { groupId, name, createdAt }: Class,
  managerId: bigint,
  userIds: readonly bigint[],
): Promise<void> {
  await transaction.group.create({ data: { id: groupId, name, createdAt } });
  const members = userIds.map((userId) => ({ groupId, userId, role: 'member', joinedAt: createdAt }));
  await transaction.membership.createMany({
    data: [{ groupId, userId: managerId, role: 'manager', joinedAt: createdAt }, ...members],
  });
}
