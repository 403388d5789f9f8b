import type { UserChange, UserStore } from '../domain/ports.js';
import type { SessionId } from '../domain/session/session-id.js';
import type { Provider, User } from '../domain/user/user.js';
import type { User as AllOfUser, Prisma, PrismaClient } from '../generated/prisma/client.js';

/** Columns that others may see of a user. */
export type UserRow = Pick<AllOfUser, 'id' | 'username' | 'provider' | 'displayName'>;
/** Selects a {@link UserRow}. */
export const USER_COLUMNS = {
  id: true,
  username: true,
  provider: true,
  displayName: true,
} as const satisfies Prisma.UserSelect;

/** Selects users who can sign in. */
export const CAN_SIGN_IN = { blockedAt: null, deletedAt: null } as const satisfies Prisma.UserWhereInput;

/** Row → user; the column's CHECK allows no other provider. */
export function readUser({ id, username, provider, displayName }: UserRow): User {
  return { id, username, provider: provider as Provider, displayName };
}

/** Codes of the generated client (error reference of Prisma 7). */
const UNIQUE_VIOLATION = 'P2002';
const ROW_MISSING = 'P2025';

/** @returns undefined for a fault with this code */
async function unless<T>(code: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === code) return undefined;
    throw err;
  }
}

async function saveSso(client: PrismaClient, subject: string, username: string, email: string | undefined) {
  const address = email === undefined ? {} : { email, emailSource: 'realm' };
  const upsert = () =>
    unless(UNIQUE_VIOLATION, () =>
      client.user.upsert({
        where: { ssoSubject: subject },
        create: { username, provider: 'sso', ssoSubject: subject, ...address },
        update: { username },
        select: { ...USER_COLUMNS, email: true, emailSource: true },
      }),
    );
  // Two first logins at once: PostgreSQL may find the name of the other one's row before its subject. Now the row is there.
  const row = (await upsert()) ?? (await upsert());
  if (row && email !== undefined && row.email !== email && row.emailSource !== 'user') {
    await client.user.updateMany({
      where: { id: row.id, OR: [{ emailSource: null }, { emailSource: 'realm' }] },
      data: address,
    });
  }
  return row && readUser(row);
}

/** Users in PostgreSQL. */
export function createUserStore(client: PrismaClient): UserStore {
  return {
    async find(id) {
      const row = await client.user.findUnique({ where: { id }, select: USER_COLUMNS });
      return row === null ? undefined : readUser(row);
    },
    async findLocal(username) {
      const row = await client.user.findUnique({
        where: { username_provider: { username, provider: 'local' } },
        select: { ...USER_COLUMNS, passwordHash: true },
      });
      // a CHECK gives every local user a hash
      return row?.passwordHash ? { user: readUser(row), passwordHash: row.passwordHash } : undefined;
    },
    async isSso(username) {
      return (await client.user.count({ where: { username, provider: 'sso' } })) > 0;
    },
    async findPasswordHash(id) {
      const row = await client.user.findUnique({ where: { id }, select: { passwordHash: true } });
      return row?.passwordHash ?? undefined;
    },
    async createLocal(username, passwordHash) {
      const data = { username, provider: 'local', passwordHash };
      const [row] = await client.user.createManyAndReturn({ data, skipDuplicates: true, select: USER_COLUMNS });
      return row && readUser(row);
    },
    saveSso: (subject, username, email) => saveSso(client, subject, username, email),
    async findEmail(id) {
      const row = await client.user.findUnique({ where: { id }, select: { email: true } });
      return row?.email ?? undefined;
    },
    confirmEmail: (tokenHash, now) => client.$transaction((transaction) => confirmEmail(transaction, tokenHash, now)),
    async removeEmail(id) {
      await client.$transaction([
        client.user.updateMany({ where: { id }, data: { email: null, emailSource: null } }),
        client.oneTimeLink.deleteMany({ where: { userId: id, purpose: 'email_confirmation' } }),
      ]);
    },
    rebindSso: (username, subject, now) =>
      unless(ROW_MISSING, () =>
        unless(UNIQUE_VIOLATION, () =>
          client.$transaction(async (transaction) => {
            const row = await transaction.user.update({
              where: { username_provider: { username, provider: 'sso' } },
              data: { ssoSubject: subject },
              select: USER_COLUMNS,
            });
            const open = { where: { userId: row.id, endedAt: null }, data: { endedAt: now } };
            await transaction.session.updateMany(open);
            await transaction.apiToken.updateMany(open);
            return readUser(row);
          }),
        ),
      ),
    async rehash(id, oldHash, newHash) {
      await client.user.updateMany({ where: { id, passwordHash: oldHash }, data: { passwordHash: newHash } });
    },
    update: (change) => unless(ROW_MISSING, () => client.$transaction((transaction) => update(transaction, change))),
    resetPassword: (tokenHash, newHash, now) =>
      client.$transaction((transaction) => resetPassword(transaction, tokenHash, newHash, now)),
  };
}

async function update(
  transaction: Prisma.TransactionClient,
  { userId, displayName, password }: UserChange,
): Promise<User> {
  const row = await transaction.user.update({
    where: { id: userId, ...(password === undefined ? {} : { passwordHash: password.oldHash }) },
    data: {
      ...(displayName === undefined ? {} : { displayName }),
      ...(password === undefined ? {} : { passwordHash: password.newHash }),
    },
    select: USER_COLUMNS,
  });
  if (password !== undefined) {
    await endAccess(transaction, userId, password.changedAt, password.keptSessionId);
  }
  return readUser(row);
}

async function resetPassword(
  transaction: Prisma.TransactionClient,
  tokenHash: Uint8Array<ArrayBuffer>,
  passwordHash: string,
  now: Date,
): Promise<bigint | undefined> {
  const live = { tokenHash, purpose: 'password_reset', expiresAt: { gt: now } };
  const link = await transaction.oneTimeLink.findUnique({ where: live, select: { userId: true } });
  if (link === null) return undefined;
  const { count } = await transaction.oneTimeLink.deleteMany({ where: live }); // of two at once one finds it
  if (count === 0) return undefined;
  await transaction.user.update({ where: { id: link.userId }, data: { passwordHash }, select: { id: true } });
  await endAccess(transaction, link.userId, now);
  return link.userId;
}

async function confirmEmail(transaction: Prisma.TransactionClient, tokenHash: Uint8Array<ArrayBuffer>, now: Date) {
  const live = { tokenHash, purpose: 'email_confirmation', expiresAt: { gt: now } };
  const link = await transaction.oneTimeLink.findUnique({ where: live, select: { userId: true, email: true } });
  if (link?.email == null) return undefined;
  const { count } = await transaction.oneTimeLink.deleteMany({ where: live }); // of two at once one finds it
  if (count === 0) return undefined;
  const { userId, email } = link;
  await transaction.user.update({
    where: { id: userId },
    data: { email, emailSource: 'user' },
    select: { id: true },
  });
  return { userId, email };
}

/** What a new password ends: every session but one, the API tokens that end with them, and links to a new password. */
async function endAccess(
  transaction: Prisma.TransactionClient,
  userId: bigint,
  endedAt: Date,
  keptSessionId?: SessionId,
): Promise<void> {
  const others = keptSessionId === undefined ? {} : { id: { not: keptSessionId } };
  await transaction.session.updateMany({ where: { userId, endedAt: null, ...others }, data: { endedAt } });
  await transaction.apiToken.updateMany({ where: endsWithSessions(userId), data: { endedAt } });
  await transaction.oneTimeLink.deleteMany({ where: { userId, purpose: 'password_reset' } });
}

/** API tokens that end when the sessions of their user do. */
export const endsWithSessions = (userId: bigint): Prisma.ApiTokenWhereInput => ({
  userId,
  endedAt: null,
  isEndedWithSessions: true,
});
