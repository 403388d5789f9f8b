import { type Statements, sql } from '@tally/service-kit';
import type { SealedCredential } from '../domain/credential/cluster-credential.js';
import type { CredentialStore } from '../domain/ports.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { deleteExpiredCredentials } from './statements/expired.js';

const COLUMNS = { userId: true, sealed: true, encryptionKeyId: true } as const;
const OWNED = { ...COLUMNS, user: { select: { username: true } } } as const;

interface Row {
  readonly userId: bigint;
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly encryptionKeyId: string;
}

function readCredential({ userId, sealed, encryptionKeyId }: Row): SealedCredential {
  return { userId, sealed: { bytes: sealed, encryptionKeyId } };
}

/** SSH credentials in PostgreSQL, sealed before they come here. */
export function createCredentialStore(client: PrismaClient, db: Statements): CredentialStore {
  return {
    async find(userId, now) {
      const isValid = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
      const row = await client.clusterCredential.findUnique({
        where: { userId, ...isValid },
        select: OWNED,
      });
      return row === null ? undefined : { ...readCredential(row), username: row.user.username };
    },
    async save({ userId, sealed: { bytes, encryptionKeyId } }, expiresAt, now) {
      const data = { sealed: bytes, encryptionKeyId, expiresAt: expiresAt ?? null, updatedAt: now };
      await client.clusterCredential.upsert({
        where: { userId },
        create: { userId, ...data },
        update: data,
        select: { userId: true },
      });
    },
    async listSealedByOthers(encryptionKeyId, rowsMax) {
      const where = { encryptionKeyId: { not: encryptionKeyId } };
      const rows = await client.clusterCredential.findMany({
        where,
        take: rowsMax,
        orderBy: { userId: 'asc' },
        select: COLUMNS,
      });
      return rows.map(readCredential);
    },
    async listEncryptionKeyIds() {
      const rows = await db.rows(sql<{ id: string }>`SELECT DISTINCT encryption_key_id AS id FROM cluster_credentials`);
      return rows.map(({ id }) => id);
    },
    async reseal({ userId, sealed: old }, to) {
      await client.clusterCredential.updateMany({
        where: { userId, sealed: old.bytes },
        data: { sealed: to.bytes, encryptionKeyId: to.encryptionKeyId },
      });
    },
    deleteExpired: (now, rowsMax) => db.run(deleteExpiredCredentials(now, rowsMax)),
  };
}
