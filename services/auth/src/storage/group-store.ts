import type { Statements } from '@tally/service-kit';
import type { Group, GroupId, GroupRole } from '../domain/group/group.js';
import type { GroupChange, GroupSnapshot, GroupStore, GroupTarget } from '../domain/group/group-ports.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { readMembershipsVersion } from './statements/groups.js';
import { CAN_SIGN_IN, readUser, USER_COLUMNS } from './user-store.js';

const GROUP_COLUMNS = {
  id: true,
  name: true,
  realmName: true,
  createdAt: true,
  _count: { select: { memberships: true } },
} as const satisfies Prisma.GroupSelect;

type GroupRow = Prisma.GroupGetPayload<{ select: typeof GROUP_COLUMNS }>;

/** The column's CHECK allows no other role. */
const readRole = (role: string) => role as GroupRole;

const readGroup = ({ id, name, realmName, createdAt, _count }: GroupRow, role: string): Group => ({
  id: id as GroupId,
  name,
  role: readRole(role),
  isOfRealm: realmName !== null,
  memberCount: _count.memberships,
  createdAt,
});

const MANAGERS_FIRST: Readonly<Record<GroupRole, number>> = { manager: 0, member: 1, viewer: 2 };

/** Groups in PostgreSQL. */
export function createGroupStore(client: PrismaClient, db: Statements): GroupStore {
  return {
    async list(userId) {
      const rows = await client.membership.findMany({
        where: { userId },
        select: { role: true, group: { select: GROUP_COLUMNS } },
        orderBy: [{ group: { name: 'asc' } }, { groupId: 'asc' }],
      });
      return rows.map(({ role, group }) => readGroup(group, role));
    },
    create: (userId, id, name, now, perUserMax) =>
      changing(client, async (transaction) => {
        if ((await transaction.membership.count({ where: { userId } })) >= perUserMax) return undefined;
        const memberships = { create: { userId, role: 'manager', joinedAt: now } };
        const data = { id, name, createdAt: now, memberships };
        return readGroup(await transaction.group.create({ data, select: GROUP_COLUMNS }), 'manager');
      }),
    change: (target, now, decide) =>
      changing(client, async (transaction) => {
        await applyChange(transaction, target, decide(await readSnapshot(transaction, target)), now);
      }),
    async listMembers(groupId, actorId) {
      const rows = await client.membership.findMany({
        where: { groupId, group: { memberships: { some: { userId: actorId } } } },
        select: { role: true, joinedAt: true, user: { select: USER_COLUMNS } },
        orderBy: { user: { username: 'asc' } },
      });
      if (rows.length === 0) return undefined;
      const members = rows.map(({ role, joinedAt, user }) => ({
        role: readRole(role),
        joinedAt,
        user: readUser(user),
      }));
      return members.sort((a, b) => MANAGERS_FIRST[a.role] - MANAGERS_FIRST[b.role]);
    },
    async saveRealmGroups(userId, names, newId, now) {
      const before = await client.group.findMany({
        where: { realmName: { not: null }, memberships: { some: { userId } } },
        select: { realmName: true },
      });
      const had = new Set(before.map(({ realmName }) => realmName));
      if (had.size === names.length && names.every((name) => had.has(name))) return false;
      await changing(client, async (transaction) => {
        const data = names.map((name) => ({ id: newId(), name, realmName: name, createdAt: now }));
        await transaction.group.createMany({ data, skipDuplicates: true });
        const ofRealm = { realmName: { in: [...names] } };
        await transaction.membership.deleteMany({
          where: { userId, group: { realmName: { not: null }, NOT: ofRealm } },
        });
        const groups = await transaction.group.findMany({ where: ofRealm, select: { id: true } });
        const joined = groups.map(({ id: groupId }) => ({ groupId, userId, role: 'member', joinedAt: now }));
        await transaction.membership.createMany({ data: joined, skipDuplicates: true });
      });
      return true;
    },
    async readVersion() {
      return (await db.row(readMembershipsVersion()))?.version ?? 0n;
    },
    async findUsers(username) {
      return (await client.user.findMany({ where: { username }, select: USER_COLUMNS })).map(readUser);
    },
    async listReceivers(userIds, groupId) {
      const ids = { in: [...userIds] };
      const [active, members] = await Promise.all([
        client.user.findMany({ where: { id: ids, ...CAN_SIGN_IN }, select: { id: true } }),
        groupId === undefined
          ? []
          : client.membership.findMany({ where: { groupId, userId: ids }, select: { userId: true } }),
      ]);
      return { activeUserIds: active.map(({ id }) => id), memberUserIds: members.map(({ userId }) => userId) };
    },
    async listNames(userIds, groupIds) {
      const [users, groups] = await Promise.all([
        client.user.findMany({ where: { id: { in: [...userIds] } }, select: USER_COLUMNS }),
        client.group.findMany({ where: { id: { in: [...groupIds] } }, select: { id: true, name: true } }),
      ]);
      return { users: users.map(readUser), groups: groups.map(({ id, name }) => ({ id: id as GroupId, name })) };
    },
  };
}

/** A transaction that changes memberships: it raises their version first, and so waits for the one before. */
function changing<T>(client: PrismaClient, work: (transaction: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  return client.$transaction(async (transaction) => {
    await raiseMembershipsVersion(transaction);
    return work(transaction);
  });
}

/** Tells every copy of the gateway that memberships are changing: the first statement of the transaction that does it. */
export async function raiseMembershipsVersion(transaction: Prisma.TransactionClient): Promise<void> {
  await transaction.membershipsVersion.update({ where: { id: 1 }, data: { version: { increment: 1 } } });
}

async function readSnapshot(
  transaction: Prisma.TransactionClient,
  { groupId, actorId, subjectId }: GroupTarget,
): Promise<GroupSnapshot> {
  const group = await transaction.group.findUnique({ where: { id: groupId }, select: { realmName: true } });
  const roleOf = async (userId: bigint) => {
    const row = await transaction.membership.findUnique({
      where: { groupId_userId: { groupId, userId } },
      select: { role: true },
    });
    return row === null ? undefined : readRole(row.role);
  };
  return {
    isOfRealm: group !== null && group.realmName !== null,
    actorRole: await roleOf(actorId),
    subjectRole: subjectId === undefined ? undefined : await roleOf(subjectId),
    subjectGroupCount:
      subjectId === undefined ? 0 : await transaction.membership.count({ where: { userId: subjectId } }),
    otherManagerCount:
      subjectId === undefined
        ? 0
        : await transaction.membership.count({
            where: { groupId, role: 'manager', userId: { not: subjectId }, user: CAN_SIGN_IN },
          }),
    memberCount: await transaction.membership.count({ where: { groupId } }),
  };
}

async function applyChange(
  transaction: Prisma.TransactionClient,
  { groupId, subjectId }: GroupTarget,
  change: GroupChange,
  now: Date,
): Promise<void> {
  switch (change.kind) {
    case 'rename':
      await transaction.group.update({ where: { id: groupId }, data: { name: change.name } });
      return;
    case 'delete':
      await transaction.group.delete({ where: { id: groupId } });
      return;
    case 'save_member': {
      const userId = subject(subjectId);
      const { role } = change;
      await transaction.membership.upsert({
        where: { groupId_userId: { groupId, userId } },
        create: { groupId, userId, role, joinedAt: now },
        update: { role },
      });
      return;
    }
    case 'delete_member':
      await transaction.membership.delete({ where: { groupId_userId: { groupId, userId: subject(subjectId) } } });
  }
}

function subject(userId: bigint | undefined): bigint {
  if (userId === undefined) throw new Error('a change of a membership names whom it concerns');
  return userId;
}
