import type { UserChange, UserStore } from '../domain/ports.js';
import type { Provider, User } from '../domain/user.js';
import { Prisma } from '../generated/prisma/client.js';
import { type Database, inTransaction } from './database.js';

/** Columns that make a {@link User}. */
export const USER_COLUMNS = { id: true, username: true, provider: true, displayName: true } as const;

/** A row as the database gives it. */
export interface UserRow {
  readonly id: bigint;
  readonly username: string;
  readonly provider: string;
  readonly displayName: string;
}

/** Row → user; the column's CHECK allows no other provider. */
export function readUser({ id, username, provider, displayName }: UserRow): User {
  return { id, username, provider: provider as Provider, displayName };
}

const isUniqueViolation = (err: unknown): boolean =>
  err instanceof Prisma.PrismaClientKnownRequestError && err.code === 'P2002';
const isRowMissing = (err: unknown): boolean =>
  err instanceof Prisma.PrismaClientKnownRequestError && err.code === 'P2025';

/** Users in PostgreSQL. */
export function createUserStore(db: Database): UserStore {
  return {
    async find(id) {
      const row = await db.user.findUnique({ where: { id }, select: USER_COLUMNS });
      return row === null ? undefined : readUser(row);
    },
    async findLocal(username) {
      const where = { username_provider: { username, provider: 'local' } };
      const row = await db.user.findUnique({ where, select: { ...USER_COLUMNS, passwordHash: true } });
      if (row === null || row.passwordHash === null) return undefined;
      return { user: readUser(row), passwordHash: row.passwordHash };
    },
    async findPasswordHash(id) {
      const row = await db.user.findUnique({ where: { id }, select: { passwordHash: true } });
      return row?.passwordHash ?? undefined;
    },
    async createLocal(username, passwordHash) {
      const rows = await db.user.createManyAndReturn({
        data: [{ username, provider: 'local', passwordHash }],
        skipDuplicates: true,
        select: USER_COLUMNS,
      });
      return rows[0] === undefined ? undefined : readUser(rows[0]);
    },
    async saveSso(subject, username) {
      try {
        const row = await db.user.upsert({
          where: { ssoSubject: subject },
          create: { username, provider: 'sso', ssoSubject: subject },
          update: { username },
          select: USER_COLUMNS,
        });
        return readUser(row);
      } catch (err) {
        if (isUniqueViolation(err)) return undefined;
        throw err;
      }
    },
    async rehash(id, oldHash, newHash) {
      await db.user.updateMany({ where: { id, passwordHash: oldHash }, data: { passwordHash: newHash } });
    },
    update: (change) => updateUser(db, change),
  };
}

async function updateUser(db: Database, { userId, displayName, password }: UserChange): Promise<User | undefined> {
  const name = displayName === undefined ? {} : { displayName };
  try {
    return await inTransaction(db, async (tx) => {
      const row = await tx.user.update({
        where: { id: userId, ...(password === undefined ? {} : { passwordHash: password.oldHash }) },
        data: { ...name, ...(password === undefined ? {} : { passwordHash: password.newHash }) },
        select: USER_COLUMNS,
      });
      if (password !== undefined) {
        const { keptSessionId, changedAt: endedAt } = password;
        const others = keptSessionId === undefined ? {} : { id: { not: keptSessionId } };
        await tx.session.updateMany({ where: { userId, endedAt: null, ...others }, data: { endedAt } });
      }
      return readUser(row);
    });
  } catch (err) {
    if (isRowMissing(err)) return undefined;
    throw err;
  }
}
