import type { SigningKeyStore } from '../domain/ports.js';
import type { PublicJwk, SigningKey } from '../domain/signing-key.js';
import type { Prisma } from '../generated/prisma/client.js';
import { type Database, inTransaction } from './database.js';

const COLUMNS = {
  kid: true,
  publicJwk: true,
  sealedPrivate: true,
  encryptionKeyId: true,
  createdAt: true,
  signsFrom: true,
  verifiesUntil: true,
} as const;
type Row = Prisma.SigningKeyGetPayload<{ select: typeof COLUMNS }>;

/** Row → key; only {@link toRow} writes the column publicJwk. */
function readKey({ sealedPrivate, encryptionKeyId, publicJwk, verifiesUntil, ...rest }: Row): SigningKey {
  return {
    ...rest,
    publicJwk: publicJwk as PublicJwk,
    sealedPrivate: { bytes: sealedPrivate, encryptionKeyId },
    ...(verifiesUntil === null ? {} : { verifiesUntil }),
  };
}

function toRow({ sealedPrivate, publicJwk, verifiesUntil, ...rest }: SigningKey) {
  const { bytes, encryptionKeyId } = sealedPrivate;
  return { ...rest, publicJwk, sealedPrivate: bytes, encryptionKeyId, verifiesUntil: verifiesUntil ?? null };
}

/** Signing keys in PostgreSQL. An index lets at most one of them have no end. */
export function createSigningKeyStore(db: Database): SigningKeyStore {
  return {
    async listLive(now) {
      const rows = await db.signingKey.findMany({
        where: { OR: [{ verifiesUntil: null }, { verifiesUntil: { gt: now } }] },
        orderBy: { signsFrom: 'desc' },
        select: COLUMNS,
      });
      return rows.map(readKey);
    },
    async createFirst(key) {
      const { count } = await db.signingKey.createMany({ data: [toRow(key)], skipDuplicates: true });
      return count === 1;
    },
    async rotate(key, othersVerifyUntil) {
      return inTransaction(db, async (tx) => {
        // the later of two rotations waits here for the earlier one, and then its own key finds the place taken
        await tx.$executeRaw`
          UPDATE signing_keys SET verifies_until = LEAST(verifies_until, ${othersVerifyUntil})
          WHERE verifies_until IS NULL OR verifies_until > ${othersVerifyUntil}`;
        const { count } = await tx.signingKey.createMany({ data: [toRow(key)], skipDuplicates: true });
        return count === 1;
      });
    },
    async listSealedByOthers(encryptionKeyId, rowsMax) {
      const where = { encryptionKeyId: { not: encryptionKeyId } };
      const rows = await db.signingKey.findMany({ where, take: rowsMax, orderBy: { kid: 'asc' }, select: COLUMNS });
      return rows.map(readKey);
    },
    async reseal(kid, from, { bytes, encryptionKeyId }) {
      await db.signingKey.updateMany({
        where: { kid, encryptionKeyId: from },
        data: { sealedPrivate: bytes, encryptionKeyId },
      });
    },
    deleteExpired: (now, rowsMax) => db.$executeRaw`
      DELETE FROM signing_keys WHERE kid IN (
        SELECT kid FROM signing_keys WHERE verifies_until < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`,
  };
}
