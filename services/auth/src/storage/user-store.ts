import { orUnavailable, sql } from '@tally/service-kit';
import type { UserChange, UserStore } from '../domain/ports.js';
import type { Provider, User } from '../domain/user/user.js';
import type { Database } from './database.js';

/** A row as the database gives it. */
export interface UserRow {
  readonly user_id: bigint;
  readonly username: string;
  readonly provider: string;
  readonly display_name: string;
}

/** Columns of table users that make a {@link UserRow}. */
export const USER_COLUMNS = sql`users.id AS user_id, username, provider, display_name`;

/** Row → user; the column's CHECK allows no other provider. */
export function readUser({ user_id, username, provider, display_name }: UserRow): User {
  return { id: user_id, username, provider: provider as Provider, displayName: display_name };
}

const CLIENT_COLUMNS = { id: true, username: true, provider: true, displayName: true } as const;
const readClientRow = (row: Omit<User, 'provider'> & { readonly provider: string }): User => ({
  ...row,
  provider: row.provider as Provider,
});

/** Codes of the generated client (error reference of Prisma 7). */
const UNIQUE_VIOLATION = 'P2002';
const ROW_MISSING = 'P2025';
const isFault = (err: unknown, code: string): boolean => err instanceof Error && 'code' in err && err.code === code;

/** Users in PostgreSQL. */
export function createUserStore(db: Database): UserStore {
  return {
    async find(id) {
      const row = await db.row(sql<UserRow>`SELECT ${USER_COLUMNS} FROM users WHERE id = ${id}`);
      return row && readUser(row);
    },
    async findLocal(usernames) {
      const row = await db.row(sql<UserRow & { readonly password_hash: string }>`
        SELECT ${USER_COLUMNS}, password_hash FROM users WHERE username = ANY(${[...usernames]}) AND provider = 'local'
        ORDER BY array_position(${[...usernames]}, username) LIMIT 1`);
      return row && { user: readUser(row), passwordHash: row.password_hash };
    },
    async findPasswordHash(id) {
      const row = await db.row(sql<{ readonly password_hash: string | null }>`
        SELECT password_hash FROM users WHERE id = ${id}`);
      return row?.password_hash ?? undefined;
    },
    async createLocal(username, passwordHash) {
      const row = await db.row(sql<UserRow>`
        INSERT INTO users (username, provider, password_hash) VALUES (${username}, 'local', ${passwordHash})
        ON CONFLICT (username, provider) DO NOTHING RETURNING ${USER_COLUMNS}`);
      return row && readUser(row);
    },
    async saveSso(subject, username) {
      const client = await db.client();
      try {
        const row = await client.user.upsert({
          where: { ssoSubject: subject },
          create: { username, provider: 'sso', ssoSubject: subject },
          update: { username },
          select: CLIENT_COLUMNS,
        });
        return readClientRow(row);
      } catch (err) {
        if (isFault(err, UNIQUE_VIOLATION)) return undefined;
        throw err;
      }
    },
    async rehash(id, oldHash, newHash) {
      await db.run(sql`UPDATE users SET password_hash = ${newHash} WHERE id = ${id} AND password_hash = ${oldHash}`);
    },
    update: (change) => updateUser(db, change),
  };
}

async function updateUser(db: Database, { userId, displayName, password }: UserChange): Promise<User | undefined> {
  const name = displayName === undefined ? {} : { displayName };
  const client = await db.client();
  try {
    return await orUnavailable(() =>
      client.$transaction(async (tx) => {
        const row = await tx.user.update({
          where: { id: userId, ...(password === undefined ? {} : { passwordHash: password.oldHash }) },
          data: { ...name, ...(password === undefined ? {} : { passwordHash: password.newHash }) },
          select: CLIENT_COLUMNS,
        });
        if (password !== undefined) {
          const { keptSessionId, changedAt: endedAt } = password;
          const others = keptSessionId === undefined ? {} : { id: { not: keptSessionId } };
          await tx.session.updateMany({ where: { userId, endedAt: null, ...others }, data: { endedAt } });
          await tx.apiToken.updateMany({
            where: { userId, endedAt: null, isEndedWithSessions: true },
            data: { endedAt },
          });
        }
        return readClientRow(row);
      }),
    );
  } catch (err) {
    if (isFault(err, ROW_MISSING)) return undefined;
    throw err;
  }
}
