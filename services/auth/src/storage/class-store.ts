import type { Statements } from '@tally/service-kit';
import type { Class, ClassScope, ClassStore } from '../domain/class/class.js';
import type { GroupId } from '../domain/group/group.js';
import type { EndedIds } from '../domain/operator/operator-ports.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { raiseMembershipsVersion } from './group-store.js';
import { endAllOf } from './operator-store.js';
import { drawUserIds } from './statements/classes.js';
import { listStudents } from './statements/operators.js';

/** Classes in PostgreSQL. */
export function createClassStore(client: PrismaClient, db: Statements): ClassStore {
  return {
    findTaken: (usernames) => findTaken(client, usernames),
    drawUserIds: async (count) => (await db.rows(drawUserIds(count))).map(({ id }) => id),
    create: (made, students, { passwordHash, linkExpiresAt }) =>
      client.$transaction(async (transaction) => {
        await raiseMembershipsVersion(transaction);
        const usernames = students.map(({ username }) => username);
        const taken = await findTaken(transaction, usernames);
        if (taken.length > 0) return taken;
        const account = { provider: 'local', passwordHash, classId: made.id };
        const data = students.map(({ userId: id, username }) => ({ id, username, ...account }));
        await transaction.user.createMany({ data });
        await transaction.oneTimeLink.createMany({
          data: students.map(({ tokenHash, userId }) => ({
            tokenHash,
            purpose: 'password_reset',
            userId,
            createdAt: made.createdAt,
            expiresAt: linkExpiresAt,
          })),
        });
        await transaction.class.create({ data: made });
        const userIds = students.map(({ userId }) => userId);
        await addGroup(transaction, made, userIds);
        return undefined;
      }),
    list: (scope, classId, now, rowsMax) => listClasses(client, db, whereOf(scope, classId), now, rowsMax),
    end: (scope, classId, isDeleted, now) =>
      client.$transaction(async (transaction) => {
        await raiseMembershipsVersion(transaction);
        const found = await transaction.class.findFirst({ where: whereOf(scope, classId) });
        return found === null ? undefined : endClass(transaction, found, isDeleted, now);
      }),
    async endDue(now, rowsMax) {
      const due = await client.class.findMany({ where: { endsAt: { lte: now }, endedAt: null }, take: rowsMax });
      for (const { id } of due) {
        await client.$transaction(async (transaction) => {
          await raiseMembershipsVersion(transaction);
          const open = await transaction.class.findFirst({ where: { id, endedAt: null } }); // its teacher may have ended it
          if (open !== null) await endClass(transaction, open, open.isDeletedAtEnd, now);
        });
      }
      return due.length;
    },
  };
}

const whereOf = ({ teacherId }: ClassScope, classId: string | undefined): Prisma.ClassWhereInput => ({
  ...(teacherId === undefined ? {} : { teacherId }),
  ...(classId === undefined ? {} : { id: classId }),
});

async function findTaken(client: Prisma.TransactionClient, usernames: readonly string[]): Promise<readonly string[]> {
  const where = { provider: 'local', username: { in: [...usernames] } };
  const rows = await client.user.findMany({ where, select: { username: true } });
  return rows.map(({ username }) => username);
}

async function listClasses(
  client: PrismaClient,
  db: Statements,
  where: Prisma.ClassWhereInput,
  now: Date,
  take: number,
) {
  const rows = await client.class.findMany({ where, orderBy: { createdAt: 'desc' }, take });
  const classIds = rows.map(({ id }) => id);
  const [students, teachers] = await Promise.all([
    db.rows(listStudents(classIds, now)),
    client.user.findMany({
      where: { id: { in: rows.flatMap(({ teacherId }) => teacherId ?? []) } },
      select: { id: true, username: true },
    }),
  ]);
  const names = new Map(teachers.map(({ id, username }) => [id, username]));
  return rows.map((row) => ({
    ...row,
    groupId: row.groupId as GroupId,
    teacherName: names.get(row.teacherId ?? 0n) ?? '',
    students: students.filter(({ classId }) => classId === row.id),
  }));
}

/** Its group goes with deletion: nobody is in it any more but who looks after it. */
async function endClass(
  transaction: Prisma.TransactionClient,
  { id, groupId, endedAt, isDeletedAtEnd }: Pick<Class, 'id' | 'endedAt' | 'isDeletedAtEnd'> & { groupId: string },
  isDeleted: boolean,
  now: Date,
): Promise<EndedIds> {
  const users = await transaction.user.updateManyAndReturn({
    where: { classId: id, deletedAt: null },
    data: isDeleted ? { deletedAt: now } : { blockedAt: now },
    select: { id: true },
  });
  const ended: EndedIds[number][] = [];
  for (const user of users) ended.push(...(await endAllOf(transaction, user.id, now)));
  const wasDeleted = endedAt !== null && isDeletedAtEnd;
  const data = { endedAt: endedAt ?? now, isDeletedAtEnd: isDeleted || wasDeleted };
  await transaction.class.updateMany({ where: { id }, data });
  if (isDeleted) await transaction.group.deleteMany({ where: { id: groupId } });
  return ended;
}

async function addGroup(
  transaction: Prisma.TransactionClient,
  { groupId, name, createdAt, teacherId }: Class,
  userIds: readonly bigint[],
): Promise<void> {
  await transaction.group.create({ data: { id: groupId, name, createdAt } });
  const members = userIds.map((userId) => ({ groupId, userId, role: 'member', joinedAt: createdAt }));
  const managers = teacherId === null ? [] : [{ groupId, userId: teacherId, role: 'manager', joinedAt: createdAt }];
  await transaction.membership.createMany({ data: [...managers, ...members] });
}
